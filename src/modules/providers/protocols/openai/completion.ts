import type { LongWork } from '../../../../limits/long-work.js';
import type { AssistantMessage, ChatChoice, ChatCompletion } from '../../chat-completion.js';
import { type JsonObject, objectOf, placeOf, textOf, walkedListOf, wordOf } from '../../json-values.js';
import { ProviderError } from '../../provider-error.js';
import { finishReasonsOf } from './finish-reasons.js';
import { reasoningDetailsOf } from './reasoning-details.js';
import { saidOf } from './said.js';
import { toolCallsOf } from './tool-calls.js';
import { countsAnswer, usageOf } from './usage.js';

/**
 * Reads a whole answer.
 *
 * @param document parsed JSON
 * @throws ProviderError if it has no choices, or one without a message
 */
export function completionOf(document: unknown): ChatCompletion {
  return completionWith(document, choicesIn(document).map(choiceOf));
}

/** Reads a large one in turns of the event loop, and throws as {@link completionOf} does. */
export async function largeCompletionOf(document: unknown, work: LongWork): Promise<ChatCompletion> {
  const choices: ChatChoice[] = [];
  for (const [position, choice] of choicesIn(document).entries()) {
    if (work.isOver) await work.rest();
    choices.push(choiceOf(choice, position));
  }
  return completionWith(document, choices);
}

function choicesIn(document: unknown): readonly unknown[] {
  return walkedListOf(objectOf(document)?.['choices']);
}

function completionWith(document: unknown, choices: readonly ChatChoice[]): ChatCompletion {
  const answer = objectOf(document);
  if (choices.length === 0) throw new ProviderError('invalid', 'The provider’s answer has no choices.');
  const usage = usageOf(answer?.['usage']);
  return {
    upstreamId: wordOf(answer?.['id']) ?? null,
    choices,
    usage,
    ...(usage !== null && !countsAnswer(answer?.['usage']) && { isAnswerUncounted: true }),
    systemFingerprint: wordOf(answer?.['system_fingerprint']) ?? null,
    serviceTier: wordOf(answer?.['service_tier']) ?? null,
  };
}

function choiceOf(value: unknown, position: number): ChatChoice {
  const choice = objectOf(value);
  const message = objectOf(choice?.['message']);
  if (choice === undefined || message === undefined) {
    throw new ProviderError('invalid', 'The provider’s answer has a choice without a message.');
  }
  return {
    index: placeOf(choice['index'], position),
    message: messageOf(message),
    ...finishReasonsOf(choice['finish_reason']),
    ...(choice['logprobs'] === undefined ? {} : { logprobs: choice['logprobs'] }),
  };
}

/** Fields that the gateway does not know are handed on. */
function messageOf(message: JsonObject): AssistantMessage {
  const {
    reasoning_content: _content,
    reasoning: _reasoning,
    tool_calls,
    reasoning_details,
    refusal,
    ...others
  } = message;
  const { content, reasoning } = saidOf(message);
  const toolCalls = toolCallsOf(tool_calls);
  const details = reasoningDetailsOf(reasoning_details);
  const refused = textOf(refusal);
  return {
    ...others,
    role: 'assistant',
    content: content ?? null,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(details === undefined ? {} : { reasoning_details: details }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
    ...(refused === undefined ? {} : { refusal: refused }),
  };
}

import type { LongWork } from '../../../../concurrency/long-work.js';
import type { AssistantMessage, ChatChoice, ChatCompletion } from '../../chat-completion.js';
import { type JsonObject, listOf, objectOf, placeOf, nonEmptyText, walkedListOf, wordOf } from '../../json-values.js';
import { ProviderError } from '../../provider-error.js';
import { hasContent } from '../../chunk-content.js';
import { citedSourcesIn } from './cited-sources.js';
import { logprobsOf, otherFieldsOfChoice } from './choice-fields.js';
import { type FinishReasons, finishReasonsOf, isOwnEnd, ownEnd, reasonsWithCalls } from './finish-reasons.js';
import { reasoningDetailsOf } from './reasoning-details.js';
import { textAndReasoningOf } from './text-and-reasoning.js';
import { signaturesIn } from './thought-signatures.js';
import { toolCallsOf } from './tool-calls.js';
import { usageIn } from './usage.js';

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
    if (work.mustRest) await work.rest();
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
  return {
    upstreamId: wordOf(answer?.['id']) ?? null,
    choices: withSources(choices, answer ?? {}),
    ...(usageIn(answer ?? {}) ?? { usage: null }),
    systemFingerprint: wordOf(answer?.['system_fingerprint']) ?? null,
    serviceTier: wordOf(answer?.['service_tier']) ?? null,
  };
}

/** Puts the sources of an answer into its first choice, unless that has some of its own. */
function withSources(choices: readonly ChatChoice[], answer: JsonObject): readonly ChatChoice[] {
  const annotations = citedSourcesIn(answer);
  const [first, ...others] = choices;
  if (annotations.length === 0 || first === undefined || listOf(first.message['annotations']).length > 0)
    return choices;
  return [{ ...first, message: { ...first.message, annotations } }, ...others];
}

function choiceOf(value: unknown, position: number): ChatChoice {
  const choice = objectOf(value);
  const reasons = finishReasonsOf(choice?.['finish_reason']);
  // A filter of the provider may leave nothing of an answer.
  const empty = reasons.finish_reason === 'content_filter' ? {} : undefined;
  const given = objectOf(choice?.['message']) ?? empty;
  if (choice === undefined || given === undefined) {
    throw new ProviderError('invalid', 'The provider’s answer has a choice without a message.');
  }
  const message = messageOf(given, reasons);
  return {
    index: placeOf(choice['index'], position),
    message,
    ...endOf(message, reasons),
    ...(choice['logprobs'] === undefined ? {} : { logprobs: logprobsOf(choice['logprobs']) }),
    ...otherFieldsOfChoice(choice),
  };
}

/** A document came whole, so that what it says has ended also where its provider gives no reason. */
function endOf(message: AssistantMessage, reasons: FinishReasons): FinishReasons {
  const hasCalled = message.tool_calls !== undefined;
  if (reasons.finish_reason === null && hasContent(message)) return ownEnd(hasCalled);
  return reasonsWithCalls(reasons, hasCalled);
}

/** Fields that the gateway does not know are handed on. */
function messageOf(message: JsonObject, { finish_reason: reason }: FinishReasons): AssistantMessage {
  const {
    reasoning_content: _content,
    reasoning: _reasoning,
    thinking: _thinking,
    tool_calls,
    reasoning_details,
    refusal,
    ...others
  } = message;
  const { content, reasoning } = textAndReasoningOf(message);
  const toolCalls = toolCallsOf(tool_calls, reason === null || isOwnEnd(reason));
  const details = [...(reasoningDetailsOf(reasoning_details) ?? []), ...signaturesIn(message, toolCalls)];
  const refused = nonEmptyText(refusal);
  return {
    ...others,
    role: 'assistant',
    content: content ?? null,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
    ...(refused === undefined ? {} : { refusal: refused }),
  };
}

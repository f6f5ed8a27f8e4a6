import { blockOrderOf, type ContentBlock } from '../anthropic-messages/blocks.js';
import { messageOf } from '../anthropic-messages/answer-decoder.js';
import { ITEM_NODES } from '../chat/answer-work.js';
import type {
  AssistantMessage,
  ChatChoice,
  ChatCompletion,
  ChatRequest,
  FinishReason,
} from '../chat/chat-completion.js';
import { hasContent } from '../chat/chunk-content.js';
import { type JsonObject, nonEmptyText, objectOf, walkedListOf, wordOf } from '../chat/json-values.js';
import { withMessagesFields } from '../chat/messages-fields.js';
import { filtersInBedrock } from '../chat/provider-filters.js';
import { ProviderError } from '../errors/provider-error.js';
import { messagesBlocksOf } from './blocks.js';
import { answerSchemaOf } from './json-answer.js';
import { thoughtsFormatOf } from './thoughts.js';
import { countedUsageOf } from './usage.js';

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'content_filter'],
  ['content_filtered', 'content_filter'],
  ['refusal', 'content_filter'],
  ['malformed_model_output', 'error'],
  ['malformed_tool_use', 'error'],
]);

/** Why an answer ended: the word of the gateway's form, and the provider's own. */
export interface FinishReasons {
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
}

/**
 * Reads why an answer ended. A word that is not known means that the model stopped by itself.
 *
 * @param hasCalled whether the model has called tools of the client
 */
export function finishReasonsOf(stopReason: unknown, hasCalled: boolean): FinishReasons {
  const word = wordOf(stopReason);
  if (word === undefined) return { finish_reason: null, native_finish_reason: null };
  const known = FINISH_REASONS.get(word) ?? 'stop';
  if (known !== 'stop' && known !== 'tool_calls') return { finish_reason: known, native_finish_reason: word };
  return { finish_reason: hasCalled ? 'tool_calls' : 'stop', native_finish_reason: word };
}

/** The error of an answer of which its provider says that the model has made it in a wrong form. */
export function malformed(word: string | null): ProviderError {
  return new ProviderError('refused', 'The model’s answer is malformed.', {
    status: 502,
    ...(word !== null && { code: word }),
  });
}

/** The tier that served; null where the provider does not say. */
export function serviceTierOf(answer: JsonObject): string | null {
  return wordOf(objectOf(answer['serviceTier'])?.['type']) ?? null;
}

/** The sequence at which an answer stopped, which is among the fields of the model's own. */
export function stopSequenceOf(ended: JsonObject): string | undefined {
  return nonEmptyText(objectOf(ended['additionalModelResponseFields'])?.['stop_sequence']);
}

/**
 * Reads a whole answer.
 *
 * @param document parsed JSON
 * @param request whose answer it is
 * @throws ProviderError if it has no content, or an empty one without a reason for its end, or has failed before it said anything
 */
export function completionOf(document: unknown, request: ChatRequest): ChatCompletion {
  const answer = objectOf(document);
  const content = objectOf(objectOf(answer?.['output'])?.['message'])?.['content'];
  if (answer === undefined || !Array.isArray(content)) {
    throw new ProviderError('invalid', 'The provider’s answer has no content.');
  }
  const jsonTool = answerSchemaOf(request)?.tool;
  const blocks = walkedListOf(content, ITEM_NODES)
    .map(objectOf)
    .flatMap((block) => (block === undefined ? [] : messagesBlocksOf(block, jsonTool)));
  return {
    upstreamId: null,
    choices: [choiceOf(answer, blocks, thoughtsFormatOf(request))],
    ...(countedUsageOf(answer['usage']) ?? { usage: null }),
    systemFingerprint: null,
    serviceTier: serviceTierOf(answer),
    ...filtersInBedrock(answer),
  };
}

function choiceOf(answer: JsonObject, blocks: readonly ContentBlock[], format: string): ChatChoice {
  const message = withFormat(messageOf(blocks), format);
  const hasCalled = message.tool_calls !== undefined;
  const given = finishReasonsOf(answer['stopReason'], hasCalled);
  if (given.finish_reason === null && !hasContent(message)) {
    throw new ProviderError('invalid', 'The provider’s answer is empty, and has no stop reason.');
  }
  const failure = given.finish_reason === 'error' ? malformed(given.native_finish_reason) : undefined;
  if (failure !== undefined && !hasContent(message)) throw failure;
  const choice: ChatChoice = {
    index: 0,
    message,
    // A document came whole, so that what it says has ended.
    finish_reason: given.finish_reason ?? (hasCalled ? 'tool_calls' : 'stop'),
    native_finish_reason: given.native_finish_reason,
    ...(failure !== undefined && { error: { code: failure.status!, message: failure.message } }),
  };
  return withMessagesFields(choice, { stop_sequence: stopSequenceOf(answer), block_order: blockOrderOf(blocks) });
}

function withFormat(message: AssistantMessage, format: string): AssistantMessage {
  const { reasoning_details: details } = message;
  return details === undefined
    ? message
    : { ...message, reasoning_details: details.map((detail) => ({ ...detail, format })) };
}

import type {
  FinishReason,
  CountedUsage,
  AssistantMessage,
  ChatChunk,
  ChatCompletion,
  ToolCall,
} from '../chat/chat-completion.js';
import { ITEM_NODES } from '../chat/answer-work.js';
import { type JsonObject, nonEmptyText, objectOf, wordOf, countOf, walkedListOf } from '../chat/json-values.js';
import {
  withMessagesFields,
  type WithMessagesFields,
  messagesFieldsOf,
  type CacheWrites,
} from '../chat/messages-fields.js';
import { ProviderError } from '../errors/provider-error.js';
import { hasContent } from '../chat/chunk-content.js';
import { newToolCallId, requireFewCalls } from '../chat/tool-call-ids.js';
import { blockOrderOf, encryptedReasoning, reasoningText, idOfThought } from './blocks.js';

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

/** The word of the Messages form for each reason that has one. */
const STOP_REASONS: ReadonlyMap<FinishReason, string> = new Map([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['content_filter', 'refusal'],
]);

/** Why an answer ended: the word of the gateway's form, the provider's own, the sequence at which it stopped, and what it says of a refusal. */
interface FinishReasons extends WithMessagesFields {
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
}

/**
 * Reads why a message ended. A word that is not known means that the model stopped by itself.
 *
 * @param ended what has `stop_reason`, `stop_sequence` and `stop_details`
 * @param hasCalled whether the model has called tools: some servers say here that it has not, or has, where the opposite is true
 */
export function finishReasonsOf(
  { stop_reason: reason, stop_sequence: sequence, stop_details: details }: JsonObject,
  hasCalled: boolean,
): FinishReasons {
  const word = wordOf(reason);
  if (word === undefined) return { finish_reason: null, native_finish_reason: null };
  const reasons = { finish_reason: reasonOf(word, hasCalled), native_finish_reason: word };
  return withMessagesFields(reasons, { stop_sequence: nonEmptyText(sequence), stop_details: objectOf(details) });
}

function reasonOf(word: string, hasCalled: boolean): FinishReason {
  const known = FINISH_REASONS.get(word);
  if (known === 'tool_calls' || known === undefined || word === 'end_turn') return hasCalled ? 'tool_calls' : 'stop';
  return known;
}

/** The Messages form's word for why an answer ended: the provider's own where it is one of that form. */
export function stopReasonOf({ finish_reason: reason, native_finish_reason: native }: FinishReasons): string | null {
  if (reason === null) return null;
  if (native !== null && FINISH_REASONS.get(native) === reason) return native;
  return STOP_REASONS.get(reason) ?? null;
}

/** What is read of the usage; the rest of what a provider counts is not kept. */
const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;
const DETAILS = ['cache_creation', 'output_tokens_details'] as const;
const WORDS = ['service_tier', 'speed', 'inference_geo'] as const;

/**
 * Merges the counts of two events: those of the later event replace those of the earlier one, as far as it has them. A zero replaces
 * nothing: some servers repeat the counts of the prompt as zeros at the end.
 */
export function mergedUsage(earlier: JsonObject, later: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...earlier };
  for (const name of COUNTS) {
    const count = countOf(later[name]);
    if (count !== undefined && (count > 0 || merged[name] === undefined)) merged[name] = count;
  }
  for (const name of DETAILS) if (hasCount(later[name])) merged[name] = later[name];
  for (const name of WORDS) if (wordOf(later[name]) !== undefined) merged[name] = later[name];
  return merged;
}

/** Whether an object of counts has one above zero. */
function hasCount(value: unknown): boolean {
  return Object.values(objectOf(value) ?? {}).some((count) => (countOf(count) ?? 0) > 0);
}

/** Whether the provider has counted the tokens of the answer. Zero is no count: there may be an answer all the same. */
export function countsAnswer(usage: JsonObject): boolean {
  return (countOf(usage['output_tokens']) ?? 0) > 0;
}

/**
 * Reads the tokens that the provider counted. It counts what it read from its cache, and what it wrote there, beside the rest
 * of the prompt; here the prompt contains both.
 *
 * @param isAnswerCounted whether its count of the answer is the last one
 * @returns undefined if it counted nothing
 */
export function countedUsageOf(usage: JsonObject, isAnswerCounted: boolean): CountedUsage | undefined {
  const [input, output] = [countOf(usage['input_tokens']), countOf(usage['output_tokens'])];
  if (input === undefined && output === undefined) return undefined;
  const read = countOf(usage['cache_read_input_tokens']) ?? 0;
  const writes = countedCacheWrites(usage);
  const { ephemeral_5m_input_tokens: forMinutes = 0, ephemeral_1h_input_tokens: forAnHour = 0 } = writes ?? {};
  // Some servers leave out the sum.
  const written = countOf(usage['cache_creation_input_tokens']) ?? forMinutes + forAnHour;
  const completion = output ?? 0;
  const prompt = (input ?? 0) + read + written;
  const thought = countOf(objectOf(usage['output_tokens_details'])?.['thinking_tokens']);
  const counted = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
    ...(thought !== undefined && { completion_tokens_details: { reasoning_tokens: Math.min(thought, completion) } }),
  };
  return {
    usage: withMessagesFields(counted, {
      cache_creation: writes,
      speed: wordOf(usage['speed']),
      inference_geo: wordOf(usage['inference_geo']),
    }),
    ...(input === undefined && { isPromptUncounted: true }),
    ...(!isAnswerCounted && { isAnswerUncounted: true }),
  };
}

/** The tokens by how long the cache keeps them; undefined where the provider does not say. */
function countedCacheWrites(usage: JsonObject): CacheWrites | undefined {
  const writes = objectOf(usage['cache_creation']);
  if (writes === undefined) return undefined;
  return {
    ephemeral_5m_input_tokens: countOf(writes['ephemeral_5m_input_tokens']) ?? 0,
    ephemeral_1h_input_tokens: countOf(writes['ephemeral_1h_input_tokens']) ?? 0,
  };
}

/** The tier that served, in the words of the gateway's form; null if the provider does not say. */
export function serviceTierOf(usage: JsonObject | undefined): string | null {
  const tier = wordOf(usage?.['service_tier']);
  return tier === 'standard' ? 'default' : (tier ?? null);
}

/**
 * Reads a whole message.
 *
 * @param document parsed JSON
 * @throws ProviderError if it has no content, or an empty one without a reason for its end
 */
export function completionOf(document: unknown): ChatCompletion {
  const message = objectOf(document);
  if (message === undefined || !Array.isArray(message['content'])) {
    throw new ProviderError('invalid', 'The provider’s answer has no content.');
  }
  const usage = objectOf(message['usage']) ?? {};
  const blocks = walkedListOf(message['content'], ITEM_NODES)
    .map(objectOf)
    .filter((block) => block !== undefined);
  const said = messageOf(blocks);
  const reasons = endOf(said, finishReasonsOf(message, said.tool_calls !== undefined));
  const fields = { ...messagesFieldsOf(reasons), block_order: blockOrderOf(blocks) };
  return {
    upstreamId: wordOf(message['id']) ?? null,
    choices: [withMessagesFields({ index: 0, message: said, ...reasons }, fields)],
    ...(countedUsageOf(usage, countsAnswer(usage)) ?? { usage: null }),
    systemFingerprint: null,
    serviceTier: serviceTierOf(usage),
  };
}

/** A document came whole, so that what it says has ended also where its provider gives no reason. */
function endOf(said: AssistantMessage, reasons: FinishReasons): FinishReasons {
  if (reasons.finish_reason !== null) return reasons;
  if (!hasContent(said)) throw new ProviderError('invalid', 'The provider’s answer is empty, and has no stop reason.');
  return { finish_reason: said.tool_calls === undefined ? 'stop' : 'tool_calls', native_finish_reason: null };
}

/** Writes a whole message as a chunk of a stream. */
export function chunkOf({ choices, ...answer }: ChatCompletion): ChatChunk {
  return {
    ...answer,
    choices: choices.map(({ message: { tool_calls: calls, ...said }, ...choice }) => ({
      ...choice,
      delta: {
        ...said,
        ...(calls === undefined ? {} : { tool_calls: calls.map((call, index) => ({ index, ...call })) }),
      },
    })),
  };
}

/** Reads the blocks of a message as what a model says in a chat. */
export function messageOf(blocks: readonly JsonObject[]): AssistantMessage {
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' ? [nonEmptyText(text) ?? ''] : []));
  const details = detailsOf(blocks);
  const reasoning = blocks
    .map(({ type, thinking }) => (type === 'thinking' ? (nonEmptyText(thinking) ?? '') : ''))
    .join('');
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(toolCallOf);
  requireFewCalls(calls.length);
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join(''),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** The details of the thoughts among the blocks of a message, each with its place. */
function detailsOf(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const details: JsonObject[] = [];
  let [text, calls] = [0, 0];
  for (const block of blocks) {
    if (block['type'] === 'text') text += (nonEmptyText(block['text']) ?? '').length;
    else if (block['type'] === 'tool_use') calls += 1;
    else if (block['type'] === 'thinking' || block['type'] === 'redacted_thinking') {
      details.push(detailOf(block, details.length, idOfThought(details.length, { text, calls })));
    }
  }
  return details;
}

function detailOf({ type, thinking, signature, data }: JsonObject, index: number, id: string | undefined): JsonObject {
  if (type === 'redacted_thinking') return encryptedReasoning(index, nonEmptyText(data) ?? '', id);
  const signed = nonEmptyText(signature);
  return reasoningText(index, {
    ...(id !== undefined && { id }),
    text: nonEmptyText(thinking) ?? '',
    ...(signed === undefined ? {} : { signature: signed }),
  });
}

function toolCallOf({ id, name, input }: JsonObject): ToolCall {
  return {
    id: nonEmptyText(id) ?? newToolCallId(),
    type: 'function',
    function: { name: nonEmptyText(name) ?? '', arguments: JSON.stringify(input ?? {}) },
  };
}

import { ITEM_NODES, SMALL_ITEM_NODES, visited, written } from '../chat/answer-work.js';
import { type JsonObject, objectOf, walkedListOf, listOf, nonEmptyText, wordOf, placeOf } from '../chat/json-values.js';
import { otherFieldsOf, toolCallsOf } from './tool-calls.js';
import { ProviderError } from '../errors/provider-error.js';
import type { FinishReason, AssistantMessage, ChatChoice, ChatCompletion } from '../chat/chat-completion.js';
import { hasContent } from '../chat/chunk-content.js';
import { signaturesIn } from '../chat/thought-signatures.js';
import { usageIn } from './usage.js';

/** The fields of a choice that are handed on ({@link otherFieldsOf}). */
export function otherFieldsOfChoice(choice: JsonObject): JsonObject | undefined {
  return otherFieldsOf(choice, isReadApart);
}

/**
 * The probabilities of the tokens of a choice. Both lists are there, because typed clients require them, and null where a provider
 * leaves one out. Another form, such as that of legacy completions, is handed on.
 */
export function logprobsOf(given: unknown): unknown {
  const fields = objectOf(given);
  if (fields === undefined || !('content' in fields || 'refusal' in fields)) return given;
  return { ...fields, content: fields['content'] ?? null, refusal: fields['refusal'] ?? null };
}

/** Whether a field is read separately, or is the error, which callers are not told in full. A switch is faster than a set for every chunk. */
function isReadApart(name: string): boolean {
  switch (name) {
    case 'index':
    case 'delta':
    case 'finish_reason':
    case 'logprobs':
    case 'native_finish_reason':
    case 'message':
    case 'text':
    case 'error':
    case 'usage':
      return true;
    default:
      return false;
  }
}

/**
 * Reads the details of reasoning, in a whole answer or in a part of one. Entries that are not details are left out.
 *
 * @returns undefined if there are none
 */
export function reasoningDetailsOf(value: unknown): readonly JsonObject[] | undefined {
  const details = walkedListOf(value, ITEM_NODES)
    .map(objectOf)
    .filter((detail) => detail !== undefined);
  return details.length === 0 ? undefined : details;
}

/** Counts what a message, or a part of one, has of lists that are handed on, and that some forms write entry by entry. */
export function countItemsOf({ annotations, images }: JsonObject): void {
  if (annotations !== undefined) visited(listOf(annotations).length * SMALL_ITEM_NODES);
  if (images !== undefined) visited(listOf(images).length * SMALL_ITEM_NODES);
}

/** What a model said in a message, or in a part of one. */
interface TextAndReasoning {
  readonly content: string | null | undefined;
  readonly reasoning: string | undefined;
}

/**
 * Reads what a model said. Its reasoning stands in `reasoning`, `reasoning_content` or `thinking`, or as parts of the
 * content, which may be texts themselves.
 *
 * @throws ProviderError for a content that is not a text
 */
export function textAndReasoningOf(message: JsonObject): TextAndReasoning {
  const { content } = message;
  const reasoning =
    nonEmptyText(message['reasoning']) ??
    nonEmptyText(message['reasoning_content']) ??
    nonEmptyText(message['thinking']);
  if (typeof content === 'string') return { content, reasoning };
  if (content === null || content === undefined) return { content, reasoning };
  if (!Array.isArray(content))
    throw new ProviderError('invalid', 'The provider’s answer has a content that is no text.');
  const parts = walkedListOf(content).map(partOf);
  const thought = parts.flatMap((part) => (part?.['type'] === 'thinking' ? listOf(part['thinking']) : []));
  return {
    content: textsOf(parts.filter(isTextPart)),
    reasoning: reasoning ?? nonEmptyText(textsOf(thought.map(objectOf))),
  };
}

function partOf(part: unknown): JsonObject | undefined {
  return typeof part === 'string' ? { type: 'text', text: part } : objectOf(part);
}

function isTextPart(part: JsonObject | undefined): boolean {
  return part?.['type'] === 'text' || part?.['type'] === 'output_text';
}

function textsOf(parts: readonly (JsonObject | undefined)[]): string {
  return parts.map((part) => nonEmptyText(part?.['text']) ?? '').join('');
}

/** Far more than any search gives. */
const MAXIMUM_SOURCES = 200;

/** Characters of an address, a title and an excerpt. Longer ones are left out, and with its address a source. */
const [MAXIMUM_URL_LENGTH, MAXIMUM_TITLE_LENGTH, MAXIMUM_EXCERPT_LENGTH] = [8_192, 1_024, 16_384];

/** A source in the form of OpenAI's own searches. */
export interface UrlCitation {
  readonly type: 'url_citation';
  readonly url_citation: {
    readonly url: string;
    readonly title: string;
    readonly content?: string;
    readonly start_index: 0;
    readonly end_index: 0;
  };
}

/**
 * Reads the sources of an answer that stand beside its choices, as at Perplexity and xAI: `citations`, each an address or an
 * object with one, and `search_results`, with titles and excerpts. Texts refer to them by their number in the list.
 *
 * @param answer a whole answer, or a chunk of one
 * @param known how many are known already
 * @returns the others, in their order
 */
export function citedSourcesIn(answer: JsonObject, known = 0): readonly UrlCitation[] {
  const results = listOf(answer['search_results']);
  const cited = listOf(answer['citations']);
  const sources = cited.length > 0 ? cited : results;
  // Each chunk may repeat all of them.
  if (sources.length <= known || known >= MAXIMUM_SOURCES) return [];
  const resultsByUrl = new Map(results.slice(0, MAXIMUM_SOURCES).map((result) => [urlOf(result), objectOf(result)]));
  return sources.slice(known, MAXIMUM_SOURCES).flatMap((source) => {
    const url = urlOf(source);
    if (url === undefined) return [];
    const [result, own] = [resultsByUrl.get(url), objectOf(source)];
    // Not merged: either may have very many fields, and each of the others would copy them.
    return citationOf(url, { title: fieldOf('title', own, result), snippet: fieldOf('snippet', own, result) });
  });
}

function fieldOf(name: string, own: JsonObject | undefined, result: JsonObject | undefined): unknown {
  return own !== undefined && name in own ? own[name] : result?.[name];
}

function urlOf(source: unknown): string | undefined {
  return textWithin(typeof source === 'string' ? source : objectOf(source)?.['url'], MAXIMUM_URL_LENGTH);
}

function citationOf(url: string, { title, snippet }: JsonObject): UrlCitation {
  const content = textWithin(snippet, MAXIMUM_EXCERPT_LENGTH);
  // Many sources may have the texts of one.
  written(url.length + (content?.length ?? 0));
  const cited = { url, title: textWithin(title, MAXIMUM_TITLE_LENGTH) ?? url, start_index: 0, end_index: 0 } as const;
  return { type: 'url_citation', url_citation: content === undefined ? cited : { ...cited, content } };
}

/** No part of a longer text, which would keep all of it in memory. */
function textWithin(value: unknown, longest: number): string | undefined {
  const text = nonEmptyText(value);
  return text !== undefined && text.length <= longest ? text : undefined;
}

/** Words that providers of this form use, apart from those of the form itself. */
const WORDS: Readonly<Record<FinishReason, readonly string[]>> = {
  stop: [],
  length: [
    'max_tokens',
    'model_length',
    'max_output_tokens',
    'max_length',
    'length_limit',
    'model_context_window_exceeded',
  ],
  tool_calls: ['tool_use', 'function_call', 'tool_call', 'function_calls'],
  content_filter: [
    'sensitive',
    'safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
    'content_filtered',
    'guardrail_intervened',
    'image_safety',
    'image_prohibited_content',
    'image_recitation',
    'refusal',
  ],
  error: [
    'insufficient_system_resource',
    'network_error',
    'abort',
    'aborted',
    'cancelled',
    'malformed_function_call',
    'function_call_filter',
    'unexpected_tool_call',
  ],
};

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries(WORDS).flatMap(([reason, words]) => [reason, ...words].map((word) => [word, reason as FinishReason])),
);

/** What some servers write in place of the value null. */
const NO_REASON: ReadonlySet<string> = new Set(['', 'null']);

/** Why a choice ended: the word of the gateway's form, and the provider's own. */
export interface FinishReasons {
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
}

const UNFINISHED: FinishReasons = { finish_reason: null, native_finish_reason: null };

/**
 * Reads a finish reason. A word that is not known means that the model stopped by itself. Some providers write particulars behind
 * a colon.
 */
export function finishReasonsOf(value: unknown): FinishReasons {
  if (value === null || value === undefined) return UNFINISHED;
  const word = wordOf(value);
  if (word === undefined) return UNFINISHED;
  const known = word.toLowerCase().split(':', 1)[0]!.trim();
  if (NO_REASON.has(known)) return UNFINISHED;
  return { finish_reason: FINISH_REASONS.get(known) ?? 'stop', native_finish_reason: word };
}

/** Whether an answer ended because the model had said what it wanted to: what it called is whole then. */
export function isOwnEnd(reason: FinishReason | null): boolean {
  return reason === 'stop' || reason === 'tool_calls';
}

/**
 * The reason for which a choice ended that called tools, or did not: many servers say that a model stopped where it has called
 * a tool, and clients would not run that; others say that it has called one where it has not, and agents would wait for its result.
 *
 * @param reasons of the provider
 */
export function reasonsWithCalls(reasons: FinishReasons, hasCalled: boolean): FinishReasons {
  return isOwnEnd(reasons.finish_reason) ? { ...reasons, finish_reason: hasCalled ? 'tool_calls' : 'stop' } : reasons;
}

/** The reason for a complete choice without a reason of its provider. */
export function ownEnd(hasCalled: boolean): FinishReasons {
  return { finish_reason: hasCalled ? 'tool_calls' : 'stop', native_finish_reason: null };
}

/**
 * Reads a whole answer.
 *
 * @param document parsed JSON
 * @throws ProviderError if it has no choices, or one without a message
 */
export function completionOf(document: unknown): ChatCompletion {
  const answer = objectOf(document);
  const choices = walkedListOf(answer?.['choices'], SMALL_ITEM_NODES).map(choiceOf);
  if (choices.length === 0) throw new ProviderError('invalid', 'The provider’s answer has no choices.');
  const promptFilterResults = answer?.['prompt_filter_results'];
  return {
    upstreamId: wordOf(answer?.['id']) ?? null,
    choices: withSources(choices, answer ?? {}),
    ...(usageIn(answer ?? {}) ?? { usage: null }),
    systemFingerprint: wordOf(answer?.['system_fingerprint']) ?? null,
    serviceTier: wordOf(answer?.['service_tier']) ?? null,
    ...(Array.isArray(promptFilterResults) && { promptFilterResults }),
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
  countItemsOf(message);
  const { content, reasoning } = textAndReasoningOf(message);
  const toolCalls = toolCallsOf(tool_calls, reason === null || isOwnEnd(reason));
  const details = [...(reasoningDetailsOf(reasoning_details) ?? []), ...signaturesIn(message, toolCalls)];
  const refused = nonEmptyText(refusal);
  // Assigned to the copy, because literals do not begin with a spread (bench/README.md#start-up-memory-size).
  return Object.assign(others, {
    role: 'assistant' as const,
    content: content ?? null,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
    ...(refused === undefined ? {} : { refusal: refused }),
  });
}

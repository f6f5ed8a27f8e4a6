import type {
  AssistantMessage,
  ChatCompletion,
  CountedUsage,
  FinishReason,
  ToolCall,
} from '../chat/chat-completion.js';
import { ITEM_NODES, SMALL_ITEM_NODES } from '../chat/answer-work.js';
import { type JsonObject, listOf, nonEmptyText, objectOf, walkedListOf, wordOf } from '../chat/json-values.js';
import { withMessagesFields } from '../chat/messages-fields.js';
import { OPENAI_RESPONSES_FORMAT } from '../chat/thought-signatures.js';
import { newToolCallId, requireFewCalls } from '../chat/tool-call-ids.js';
import { blockOrderOf } from '../anthropic-messages/blocks.js';
import { ProviderError } from '../errors/provider-error.js';
import { providerErrorOf, refusal } from '../errors/error-object.js';
import { countedUsageOf } from '../openai-chat/usage.js';
import type { Upstream } from '../upstream-codec.js';

/** Why an answer ended, for each reason for which a provider calls it incomplete. */
const INCOMPLETE: ReadonlyMap<unknown, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content_filter'],
]);

/** The end of an answer in the words of a chat, and in the provider's. */
export interface ResponseEnd {
  readonly finish_reason: FinishReason;
  readonly native_finish_reason: string;
}

/**
 * Reads a whole answer of the Responses interface.
 *
 * @throws ProviderError for one that has failed, or has no output
 */
export function completionOf(document: unknown, upstream: Upstream): ChatCompletion {
  const response = objectOf(document);
  const output = response?.['output'];
  if (response === undefined || !Array.isArray(output)) {
    throw new ProviderError('invalid', 'The provider’s answer has no output.');
  }
  requireNoFailure(response, upstream);
  const items = walkedListOf(output, ITEM_NODES).map((item) => objectOf(item) ?? {});
  const message = messageOf(items);
  const order = blockOrderOf(items.flatMap(blocksOf));
  const counted = countedIn(response);
  const choice = { index: 0, message, ...endOf(response, message.tool_calls !== undefined), ...logprobsOf(items) };
  return {
    upstreamId: wordOf(response['id']) ?? null,
    choices: [withMessagesFields(choice, { block_order: order })],
    ...counted,
    usage: counted?.usage ?? null,
    systemFingerprint: null,
    serviceTier: wordOf(response['service_tier']) ?? null,
  };
}

/** Lets through an answer that has not failed. @throws ProviderError for one that has */
export function requireNoFailure(response: JsonObject, upstream: Upstream): void {
  if (response['status'] !== 'failed' && response['status'] !== 'cancelled') return;
  throw providerErrorOf({ error: response['error'] }, upstream) ?? refusal(undefined, upstream, {});
}

/** Why an answer ended. @param hasCalls whether it asks for calls of tools */
export function endOf(response: JsonObject, hasCalls: boolean): ResponseEnd {
  const status = wordOf(response['status']) ?? 'completed';
  if (status !== 'incomplete') {
    return { finish_reason: hasCalls ? 'tool_calls' : 'stop', native_finish_reason: status };
  }
  const reason = wordOf(objectOf(response['incomplete_details'])?.['reason']);
  return { finish_reason: INCOMPLETE.get(reason) ?? 'error', native_finish_reason: reason ?? status };
}

/** The tokens that a response counts. @returns undefined if it counts none */
export function countedIn(document: unknown): CountedUsage | undefined {
  const usage = objectOf(objectOf(document)?.['usage']);
  if (usage === undefined) return undefined;
  return countedUsageOf({
    ...usage,
    prompt_tokens_details: usage['input_tokens_details'],
    completion_tokens_details: usage['output_tokens_details'],
  });
}

/** The details of an item of reasoning, as a chat has them. */
export function detailsOf(item: JsonObject, index: number): readonly JsonObject[] {
  const id = wordOf(item['id']);
  const common = { format: OPENAI_RESPONSES_FORMAT, index, ...(id !== undefined && { id }) };
  const texts = (name: string): string =>
    walkedListOf(item[name])
      .map((part) => nonEmptyText(objectOf(part)?.['text']) ?? '')
      .join('');
  const [summary, text] = [texts('summary'), texts('content')];
  const data = nonEmptyText(item['encrypted_content']);
  return [
    ...(summary === '' ? [] : [{ type: 'reasoning.summary', ...common, summary }]),
    ...(text === '' ? [] : [{ type: 'reasoning.text', ...common, text }]),
    ...(data === undefined ? [] : [{ type: 'reasoning.encrypted', ...common, data }]),
  ];
}

/** What details of reasoning show of it; empty for nothing. */
export function shownThoughts(details: readonly JsonObject[]): string {
  return details.map(({ summary, text }) => nonEmptyText(summary) ?? nonEmptyText(text) ?? '').join('');
}

/** A call of a function. @throws ProviderError for one without a name */
export function callOf({ call_id: id, name, arguments: given }: JsonObject): ToolCall {
  if (nonEmptyText(name) === undefined) {
    throw new ProviderError('invalid', 'The provider’s answer has a call without a name.');
  }
  return {
    id: nonEmptyText(id) ?? newToolCallId(),
    type: 'function',
    function: { name: name as string, arguments: nonEmptyText(given) ?? '' },
  };
}

/** What the citations of a text are in a chat. */
export function annotationOf(annotation: unknown): readonly JsonObject[] {
  const cited = objectOf(annotation);
  if (cited?.['type'] !== 'url_citation') return [];
  const { type, ...citation } = cited;
  return [{ type, url_citation: citation }];
}

/** A picture that a model has made, as a chat has it. */
export function imageOf({ result, output_format: format }: JsonObject): readonly JsonObject[] {
  if (nonEmptyText(result) === undefined) return [];
  const url = `data:image/${wordOf(format) ?? 'png'};base64,${String(result)}`;
  return [{ type: 'image_url', image_url: { url } }];
}

function messageOf(items: readonly JsonObject[]): AssistantMessage {
  const parts = items.filter(({ type }) => type === 'message').flatMap(partsOf);
  const ofType = (type: string): readonly JsonObject[] => parts.filter((part) => part['type'] === type);
  const joined = (type: string, field: string): string =>
    ofType(type)
      .map((part) => nonEmptyText(part[field]) ?? '')
      .join('');
  const [content, refused] = [joined('output_text', 'text'), joined('refusal', 'refusal')];
  const details = items.filter(({ type }) => type === 'reasoning').flatMap(detailsOf);
  const calls = items.filter(({ type }) => type === 'function_call').map(callOf);
  requireFewCalls(calls.length);
  const reasoning = shownThoughts(details);
  const annotations = ofType('output_text').flatMap((part) => listOf(part['annotations']).flatMap(annotationOf));
  const images = items.filter(({ type }) => type === 'image_generation_call').flatMap(imageOf);
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(refused !== '' && { refusal: refused }),
    ...(reasoning !== '' && { reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(annotations.length > 0 && { annotations }),
    ...(images.length > 0 && { images }),
  };
}

/** The parts of the content of a message. @throws ProviderError for more than 10,000 */
export function partsOf(item: JsonObject): readonly JsonObject[] {
  return walkedListOf(item['content'], SMALL_ITEM_NODES).map((part) => objectOf(part) ?? {});
}

function logprobsOf(items: readonly JsonObject[]): { readonly logprobs?: unknown } {
  const parts = items.filter(({ type }) => type === 'message').flatMap(partsOf);
  const content = parts.flatMap(({ logprobs }) => listOf(logprobs));
  return content.length === 0 ? {} : { logprobs: { content } };
}

/** An item as the blocks whose order a choice keeps: one for each detail, text and call. */
function blocksOf(item: JsonObject, index: number): readonly JsonObject[] {
  switch (item['type']) {
    case 'reasoning':
      return detailsOf(item, index).map(() => ({ type: 'thinking' }));
    case 'message':
      return partsOf(item).flatMap(({ type, text }) => (type === 'output_text' ? [{ type: 'text', text }] : []));
    case 'function_call':
      return [{ type: 'tool_use' }];
    default:
      return [];
  }
}

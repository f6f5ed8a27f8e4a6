import type { AssistantMessage, ChatChunk, ChatDelta } from '../chat/chat-completion.js';
import { hasAnswerPart } from '../chat/chunk-content.js';
import { countOf, type JsonObject, listOf, nonEmptyText, objectOf, wordOf } from '../chat/json-values.js';
import { requireFewCalls } from '../chat/tool-call-count.js';
import { ProviderError } from '../errors/provider-error.js';
import { providerErrorOf, refusal } from '../errors/error-object.js';
import { brokenOff, eventDocument, isBlank, isDone } from '../event-document.js';
import type { ServerSentEvent, StreamDecoder, Upstream } from '../upstream-codec.js';
import {
  annotationOf,
  callOf,
  completionOf,
  countedIn,
  detailsOf,
  endOf,
  imageOf,
  partsOf,
  requireNoFailure,
  shownThoughts,
} from './answer-decoder.js';
import { OPENAI_RESPONSES_FORMAT } from './reasoning-format.js';

/** The most items of an answer: what is kept of each takes memory. */
const MAXIMUM_ITEMS = 10_000;

/** The estimated bytes of what is kept of an item. */
const ITEM_BYTES = 500;

/** What is known of an item of the output, by its index. */
interface OpenItem {
  readonly id: string | undefined;
  /** The place among the calls; undefined for another item. */
  readonly call: number | undefined;
  /** Whether parts of its text, or of its arguments, have come. */
  hasParts: boolean;
}

/** The events that end a stream. */
const ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Decodes the events of one stream of the Responses interface. */
export class ResponseEvents implements StreamDecoder<ChatChunk> {
  readonly hasAnswerPart = hasAnswerPart;
  private readonly items = new Map<number, OpenItem>();
  private calls = 0;
  private hasEnded = false;

  constructor(private readonly upstream: Upstream) {}

  get keptBytes(): number {
    return this.items.size * ITEM_BYTES;
  }

  read(event: ServerSentEvent): ChatChunk | undefined {
    if (isDone(event) || isBlank(event)) return undefined;
    const document = eventDocument(event, this.upstream);
    const type = wordOf(document['type']) ?? event.event;
    // Some servers have no streams, and answer with a document.
    if (type === undefined && Array.isArray(document['output'])) return this.whole(document);
    if (type === 'error' || event.event === 'error') throw this.errorOf(document);
    if (ENDS.has(type)) return this.end(objectOf(document['response']) ?? {});
    const delta = this.deltaOf(type, document);
    if (delta === undefined) return undefined;
    const { logprobs, ...said } = delta;
    const choice = { index: 0, delta: said, finish_reason: null, native_finish_reason: null };
    return { choices: [logprobs === undefined ? choice : { ...choice, logprobs }] };
  }

  isLast(event: ServerSentEvent): boolean {
    return this.hasEnded || isDone(event);
  }

  hasFinished(): boolean {
    return this.hasEnded;
  }

  ended(): void {
    if (!this.hasEnded) throw brokenOff();
  }

  /** @returns undefined for an event that adds nothing to a chat */
  private deltaOf(
    type: string | undefined,
    event: JsonObject,
  ): (ChatDelta & { readonly logprobs?: unknown }) | undefined {
    switch (type) {
      case 'response.created':
        return { role: 'assistant' };
      case 'response.output_item.added':
        return this.begun(event);
      case 'response.output_text.delta':
        return { content: this.partOf(event), ...logprobsOf(event) };
      case 'response.refusal.delta':
        return { refusal: this.partOf(event) };
      case 'response.function_call_arguments.delta':
        return this.argumentsOf(event);
      case 'response.reasoning_summary_text.delta':
        return this.thoughtOf(event, 'summary');
      case 'response.reasoning_text.delta':
        return this.thoughtOf(event, 'text');
      case 'response.output_text.annotation.added': {
        const annotations = annotationOf(event['annotation']);
        return annotations.length === 0 ? undefined : { annotations };
      }
      case 'response.output_item.done':
        return this.completed(event);
      default:
        return undefined;
    }
  }

  private begun(event: JsonObject): ChatDelta | undefined {
    const [index, item] = [indexOf(event), objectOf(event['item']) ?? {}];
    const known = this.items.get(index) ?? this.open(index, item);
    if (known.call === undefined) return undefined;
    const { id, type, function: called } = callOf({ ...item, arguments: '' });
    const first = nonEmptyText(item['arguments']);
    if (first !== undefined) known.hasParts = true;
    return { tool_calls: [{ index: known.call, id, type, function: { ...called, arguments: first ?? '' } }] };
  }

  private open(index: number, item: JsonObject): OpenItem {
    if (this.items.size >= MAXIMUM_ITEMS) {
      throw new ProviderError('invalid', `The provider sent an answer of more than ${MAXIMUM_ITEMS} items.`);
    }
    const call = item['type'] === 'function_call' ? this.calls++ : undefined;
    requireFewCalls(this.calls);
    const opened = { id: wordOf(item['id']), call, hasParts: false };
    this.items.set(index, opened);
    return opened;
  }

  private itemAt(event: JsonObject): OpenItem {
    const index = indexOf(event);
    return this.items.get(index) ?? this.open(index, { id: event['item_id'] });
  }

  private partOf(event: JsonObject): string {
    const part = nonEmptyText(event['delta']) ?? '';
    if (part !== '') this.itemAt(event).hasParts = true;
    return part;
  }

  private argumentsOf(event: JsonObject): ChatDelta {
    const { call } = this.itemAt(event);
    if (call === undefined)
      throw new ProviderError('invalid', 'The provider sent arguments of a call that has not begun.');
    return { tool_calls: [{ index: call, function: { arguments: this.partOf(event) } }] };
  }

  private thoughtOf(event: JsonObject, field: 'summary' | 'text'): ChatDelta {
    const { id } = this.itemAt(event);
    const said = this.partOf(event);
    const detail = { type: `reasoning.${field}`, format: OPENAI_RESPONSES_FORMAT, index: indexOf(event) };
    return { reasoning: said, reasoning_details: [{ ...detail, ...(id !== undefined && { id }), [field]: said }] };
  }

  /** What only the whole item says: of reasoning what is encrypted, and all of an item that did not come in parts. */
  private completed(event: JsonObject): ChatDelta | undefined {
    const [index, item] = [indexOf(event), objectOf(event['item']) ?? {}];
    const known = this.items.get(index) ?? this.open(index, item);
    switch (item['type']) {
      case 'reasoning': {
        const details = detailsOf(item, index);
        const missing = known.hasParts ? details.filter(({ type }) => type === 'reasoning.encrypted') : details;
        const reasoning = shownThoughts(missing);
        return missing.length === 0
          ? undefined
          : { ...(reasoning !== '' && { reasoning }), reasoning_details: missing };
      }
      case 'function_call':
        return known.hasParts ? undefined : this.wholeCall(known, item);
      case 'message':
        return known.hasParts ? undefined : wholeMessage(item);
      case 'image_generation_call': {
        const images = imageOf(item);
        return images.length === 0 ? undefined : { images };
      }
      default:
        return undefined;
    }
  }

  private wholeCall(known: OpenItem, item: JsonObject): ChatDelta {
    known.hasParts = true;
    return { tool_calls: [{ index: known.call!, function: { arguments: nonEmptyText(item['arguments']) ?? '' } }] };
  }

  private end(response: JsonObject): ChatChunk {
    requireNoFailure(response, this.upstream);
    this.hasEnded = true;
    const counted = countedIn(response);
    return {
      upstreamId: wordOf(response['id']) ?? null,
      choices: [{ index: 0, delta: {}, ...endOf(response, this.calls > 0) }],
      ...counted,
      usage: counted?.usage ?? null,
      serviceTier: wordOf(response['service_tier']) ?? null,
    };
  }

  private whole(document: JsonObject): ChatChunk {
    const { choices, ...answer } = completionOf(document, this.upstream);
    this.hasEnded = true;
    return {
      ...answer,
      choices: choices.map(({ message, ...choice }) => ({ ...choice, delta: deltaOfMessage(message) })),
    };
  }

  private errorOf(document: JsonObject): ProviderError {
    const { message, code, error } = document;
    return (
      providerErrorOf({ error: error ?? { message, code } }, this.upstream) ?? refusal(undefined, this.upstream, {})
    );
  }
}

function deltaOfMessage({ tool_calls: calls, ...said }: AssistantMessage): ChatDelta {
  if (calls === undefined) return said;
  return { ...said, tool_calls: calls.map((call, index) => ({ index, ...call })) };
}

function indexOf(event: JsonObject): number {
  return countOf(event['output_index']) ?? 0;
}

function logprobsOf({ logprobs }: JsonObject): { readonly logprobs?: unknown } {
  const content = listOf(logprobs);
  return content.length === 0 ? {} : { logprobs: { content } };
}

function wholeMessage(item: JsonObject): ChatDelta | undefined {
  const parts = partsOf(item);
  const joined = (field: string): string => parts.map((part) => nonEmptyText(part[field]) ?? '').join('');
  const [content, refused] = [joined('text'), joined('refusal')];
  if (content === '' && refused === '') return undefined;
  return { ...(content !== '' && { content }), ...(refused !== '' && { refusal: refused }) };
}

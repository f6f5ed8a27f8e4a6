import type { AssistantMessage, ChatChunk, ChatDelta } from '../chat/chat-completion.js';
import { hasAnswerPart } from '../chat/chunk-content.js';
import { type JsonObject, objectOf, wordOf } from '../chat/json-values.js';
import type { ProviderError } from '../errors/provider-error.js';
import { providerErrorOf, refusal } from '../errors/error-object.js';
import { brokenOff, eventDocument, isBlank, isDone } from '../event-document.js';
import type { ServerSentEvent, StreamDecoder, Upstream } from '../upstream-codec.js';
import { completionOf, countedIn, endOf, requireNoFailure } from './answer-decoder.js';
import { type ItemDelta, StreamedItems } from './streamed-items.js';

/** The events that end a stream. */
const ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Decodes the events of one stream of the Responses interface. */
export class ResponseEvents implements StreamDecoder<ChatChunk> {
  readonly hasAnswerPart = hasAnswerPart;
  private readonly items = new StreamedItems();
  private hasEnded = false;

  constructor(private readonly upstream: Upstream) {}

  get keptBytes(): number {
    return this.items.keptBytes;
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
  private deltaOf(type: string | undefined, event: JsonObject): ItemDelta | undefined {
    const { items } = this;
    switch (type) {
      case 'response.created':
        return { role: 'assistant' };
      case 'response.output_item.added':
        return items.begin(event);
      case 'response.output_text.delta':
        return items.piece('content', event);
      case 'response.output_text.done':
        return items.ended('content', event, 'text');
      case 'response.refusal.delta':
        return items.piece('refusal', event);
      case 'response.refusal.done':
        return items.ended('refusal', event, 'refusal');
      case 'response.function_call_arguments.delta':
        return items.piece('arguments', event);
      case 'response.function_call_arguments.done':
        return items.ended('arguments', event, 'arguments');
      case 'response.reasoning_summary_text.delta':
        return items.piece('summary', event);
      case 'response.reasoning_summary_text.done':
        return items.ended('summary', event, 'text');
      case 'response.reasoning_text.delta':
        return items.piece('text', event);
      case 'response.reasoning_text.done':
        return items.ended('text', event, 'text');
      case 'response.content_part.done':
      case 'response.reasoning_summary_part.done':
        return items.endedPart(event);
      case 'response.output_text.annotation.added':
        return items.annotation(event);
      case 'response.output_item.done':
        return items.completed(event);
      default:
        return undefined;
    }
  }

  private end(response: JsonObject): ChatChunk {
    requireNoFailure(response, this.upstream);
    this.hasEnded = true;
    const { logprobs, ...delta } = this.items.restOf(response['output']);
    const counted = countedIn(response);
    const choice = { index: 0, delta, ...endOf(response, this.items.haveCalls) };
    return {
      upstreamId: wordOf(response['id']) ?? null,
      choices: [logprobs === undefined ? choice : { ...choice, logprobs }],
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

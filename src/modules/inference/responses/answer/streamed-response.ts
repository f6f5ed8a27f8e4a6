import type { ChatChunk, ChatDelta, FinishReason } from '../../../providers/chat-completion.js';
import { parsableWeight } from '../../../providers/document-extent.js';
import { ProviderError } from '../../../providers/provider-error.js';
import type { StreamedForm } from '../../answer/answer-form.js';
import { deliveredBytes } from '../../answer/delivered-bytes.js';
import type { StreamEvent } from '../../answer/event-stream.js';
import { shownErrorOf, shownWordsOf } from '../../answer/shown-error.js';
import type { AnswerUsage } from '../../answer/usage.js';
import type { ResponsesRequest } from '../dto/responses-request.dto.js';
import type { OutputItems } from './output-items.js';
import { outputItemsFor } from './output-options.js';
import { type EndedResponse, responseDocument, type ResponseOrigin } from './response-document.js';
import { endOf, failedEnd } from './response-end.js';
import type { ResponseEvent } from './response-event.js';

/** The largest answer that is streamed, in bytes: its last events repeat all of it, so that it is kept until then. */
const MAXIMUM_ANSWER_BYTES = 16 * 1024 * 1024;

/** How often what is kept is in memory when the last events are written: in the pieces that came, and put together. */
const TIMES_AT_THE_END = 2;

/** What a piece of a text takes besides its characters while the text is put together, in bytes of the heap. */
const PIECE_SIZE = 64;

/** What an item takes besides what it says, in bytes. */
const ITEM_SIZE = 512;

/** Writes one stream in the form of the Responses interface (docs/interface/responses.md#streams). */
export class StreamedResponse implements StreamedForm {
  private readonly items: OutputItems;
  private events: StreamEvent[] = [];
  private sequenceNumber = 0;
  private size = 0;
  /** The estimated bytes of the heap of what is kept besides its characters. */
  private pieceBytes = 0;
  private finishReason: FinishReason | null = null;

  constructor(
    private readonly request: ResponsesRequest,
    private readonly origin: ResponseOrigin,
  ) {
    this.items = outputItemsFor(request, origin, (event) => this.emit(event));
  }

  /** What is kept is put together at the end, and then written a part at a time. */
  get keptBytes(): number {
    return TIMES_AT_THE_END * this.size + this.pieceBytes + this.items.count * ITEM_SIZE;
  }

  /** Behind the first events, because clients take none before them. */
  echo(body: object): readonly StreamEvent[] {
    this.begin();
    this.emit({ type: 'response.debug', debug: { echo_upstream_body: body } });
    return this.taken();
  }

  /** @throws ProviderError for an answer that is too large */
  chunk({ choices }: ChatChunk): readonly StreamEvent[] {
    this.begin();
    for (const { index, delta, finish_reason: reason, logprobs } of choices) {
      if (index !== 0) continue;
      this.items.add(delta, logprobs);
      const kept = keptJsonOf(delta, logprobs);
      this.pieceBytes += PIECE_SIZE + (kept === '' ? 0 : (parsableWeight(kept) ?? 0));
      this.count(deliveredBytes(delta) + kept.length);
      this.finishReason = reason ?? this.finishReason;
    }
    return this.taken();
  }

  end(usage: AnswerUsage, serviceTier: string | null): readonly StreamEvent[] {
    return this.finish({ end: endOf(this.finishReason), usage, serviceTier, routing: this.origin.routing() });
  }

  failure(error: unknown): readonly StreamEvent[] {
    const shown = shownErrorOf(error);
    // Faults of the gateway itself show nothing more.
    const routing = shown.status === 500 ? {} : this.origin.routing();
    return this.finish({ end: failedEnd(shown, shownWordsOf(error)), serviceTier: null, routing });
  }

  private begin(): void {
    if (this.sequenceNumber > 0) return;
    const response = this.document();
    this.emit({ type: 'response.created', response });
    this.emit({ type: 'response.in_progress', response });
  }

  private finish(ended: EndedResponse): readonly StreamEvent[] {
    this.begin();
    this.items.end(ended.end.status);
    this.emit({ type: `response.${ended.end.status}`, response: this.document(ended) });
    return this.taken();
  }

  private document(ended?: EndedResponse): object {
    return responseDocument(this.request, this.origin, this.items.shown(), ended);
  }

  private count(bytes: number): void {
    this.size += bytes;
    if (this.size + this.items.count * ITEM_SIZE > MAXIMUM_ANSWER_BYTES)
      throw new ProviderError('invalid', 'The provider sent an answer of more than 16 MiB.');
  }

  private emit({ type, ...fields }: ResponseEvent): void {
    this.events.push({ event: type, data: { type, sequence_number: this.sequenceNumber++, ...fields } });
  }

  private taken(): readonly StreamEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }
}

/** What is kept of a chunk besides texts and calls, as JSON. */
function keptJsonOf(delta: ChatDelta, logprobs: unknown): string {
  const { annotations, images, reasoning_details: details } = delta;
  const kept = [logprobs, annotations, images, details].filter((value) => value !== undefined && value !== null);
  return kept.length === 0 ? '' : JSON.stringify(kept);
}

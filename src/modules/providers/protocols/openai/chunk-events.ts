import type { ChatChunk } from '../../chat-completion.js';
import type { ProviderError } from '../../provider-error.js';
import { hasAnswerPart } from '../../chunk-content.js';
import type { ServerSentEvent } from '../../upstream/server-sent-events.js';
import type { EventForm } from '../../upstream/upstream-events.js';
import { brokenOff, eventDocument, isBlank, isDone } from '../event-document.js';
import type { Upstream } from '../provider-protocol.js';
import { ChunkReader } from './chunk.js';
import { namedError, reportedFailure, unnamedError } from './reported-failure.js';

/** Reads the events of one stream. */
export class ChunkEvents implements EventForm<ChatChunk> {
  readonly hasAnswerPart = hasAnswerPart;
  private isDone = false;
  /** Whether the provider has sent its usage after all choices that have begun. */
  private isCounted = false;
  private failure: ProviderError | undefined;
  private readonly chunks = new ChunkReader();

  /** @param asked how many choices the request asks for */
  constructor(
    private readonly upstream: Upstream,
    private readonly asked = 1,
  ) {}

  get keptBytes(): number {
    return this.chunks.keptBytes;
  }

  read(event: ServerSentEvent): ChatChunk | undefined {
    if (isDone(event)) return this.done();
    // Some servers keep a connection alive with events whose data is empty.
    if (isBlank(event)) return undefined;
    const document = eventDocument(event, this.upstream);
    // One with an error in it has been thrown.
    if (event.event === 'error') throw namedError(document, this.upstream);
    const error = unnamedError(document, this.upstream);
    if (error !== undefined) throw error;
    const chunk = this.chunks.read(document);
    if (chunk.choices.length === 0 && chunk.usage) this.isCounted ||= this.chunks.choices.haveEnded;
    this.failure ??= reportedFailure(chunk.choices, document, this.upstream);
    return this.failure === undefined ? chunk : withoutFailures(chunk);
  }

  isLast(event: ServerSentEvent): boolean {
    return isDone(event);
  }

  hasFinished(): boolean {
    // Providers count at the end: choices that have not begun by then never will.
    return this.chunks.choices.haveFinished(this.isCounted ? 1 : this.asked);
  }

  ended(): void {
    // Not before the end, because the usage may come after it.
    if (this.failure !== undefined) throw this.failure;
    if (!this.isDone && !this.chunks.choices.haveEnded) throw brokenOff();
  }

  /** The chunk that gives missing finish reasons: clients reject a choice that ends without one. */
  private done(): ChatChunk | undefined {
    if (this.chunks.choices.breakOff) return undefined;
    this.isDone = true;
    const choices = this.chunks.choices.ends();
    return choices.length === 0 ? undefined : { choices };
  }
}

/** A choice that has failed does not end before its stream does. */
function withoutFailures(chunk: ChatChunk): ChatChunk {
  const choices = chunk.choices.map((choice) =>
    choice.finish_reason === 'error' ? { ...choice, finish_reason: null, native_finish_reason: null } : choice,
  );
  return { ...chunk, choices };
}

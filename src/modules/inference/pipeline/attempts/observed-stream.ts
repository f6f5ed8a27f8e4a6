import type { ChatChunk } from '../../../codecs/chat/chat-completion.js';
import { hasAnswerPart } from '../../../codecs/chat/chunk-content.js';
import { ProviderError } from '../../../codecs/errors/provider-error.js';
import type { CallReport, ObservedCall } from './observed-call.js';

/** A stream of a provider that is timed as it is read. Not a generator, because that would cost each
 * chunk more than the timing. */
export class ObservedStream implements AsyncIterableIterator<ChatChunk, void> {
  private readonly chunks: AsyncIterator<ChatChunk, void>;

  constructor(
    chunks: AsyncIterable<ChatChunk, void>,
    private readonly call: ObservedCall,
  ) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<ChatChunk, void>> {
    const asked = performance.now();
    return this.chunks.next().then((next) => {
      if (next.done === true) this.ended();
      else this.came(next.value, performance.now() - asked);
      return next;
    }, this.failed);
  }

  /** Aborts the call: the consumer stopped reading. */
  async return(): Promise<IteratorResult<ChatChunk, void>> {
    this.call.failed();
    await this.chunks.return?.();
    return { done: true, value: undefined };
  }

  private readonly failed = (error: unknown): never => {
    this.call.failed(error);
    throw error;
  };

  private came(chunk: ChatChunk, waitedMs: number): void {
    if (this.call.hasBegun) this.call.waited(waitedMs);
    else if (hasAnswerPart(chunk)) this.call.begun();
    const { usage = null, upstreamId = null, choices } = chunk;
    const isPlain = usage === null && choices.every(({ finish_reason: reason }) => reason === null);
    if (isPlain) this.call.report({ upstreamId });
    else this.call.report({ usage, upstreamId, finishReasons: choices.map(({ finish_reason: reason }) => reason) });
  }

  /** A stream without a token is no answer. */
  private ended(): void {
    if (this.call.hasBegun) this.call.answered();
    else this.call.failed(new ProviderError('invalid', 'no content'));
  }
}

/**
 * Parts of an answer that are timed as they are read, of which each one is a part of the answer.
 *
 * @param reportOf what a part reports; absent where none does
 */
export async function* observedParts<Part>(
  parts: AsyncIterable<Part>,
  call: ObservedCall,
  reportOf?: (part: Part) => CallReport,
): AsyncGenerator<Part, void, undefined> {
  try {
    for await (const part of parts) {
      if (!call.hasBegun) call.begun();
      if (reportOf !== undefined) call.report(reportOf(part));
      yield part;
    }
    call.answered();
  } catch (error) {
    call.failed(error);
    throw error;
  } finally {
    // Its reader has left, unless it has ended already.
    call.failed();
  }
}

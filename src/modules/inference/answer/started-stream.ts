import type { ChatChunk } from '../../providers/chat-completion.js';
import { ProviderError } from '../../providers/provider-error.js';
import { hasAnswerPart } from '../../providers/chunk-content.js';

/** The number of chunks without content after which a stream counts as begun without a token. */
const MAXIMUM_SILENT_CHUNKS = 100;

/** The size of such chunks together after which a stream counts as begun, in characters of JSON. */
const MAXIMUM_SILENT_LENGTH = 65_536;

/**
 * A stream of a provider whose first token has come, or that has sent {@link MAXIMUM_SILENT_CHUNKS} chunks or {@link MAXIMUM_SILENT_LENGTH}
 * characters without one: until then another candidate can answer instead. Not a generator, because that would cost each chunk several
 * promises.
 */
export class StartedStream implements AsyncIterableIterator<ChatChunk, void> {
  private given = 0;

  private constructor(
    private readonly first: readonly ChatChunk[],
    private readonly rest: AsyncIterator<ChatChunk, void>,
  ) {}

  /**
   * Waits for the first token, or for as much without one as a stream may send.
   *
   * @param first receives the chunks that come until then
   * @throws ProviderError for a stream that ends before it, and whatever the stream throws
   */
  static async of(chunks: AsyncIterable<ChatChunk, void>, first: ChatChunk[] = []): Promise<StartedStream> {
    const rest = chunks[Symbol.asyncIterator]();
    let length = 0;
    for (;;) {
      const next = await rest.next();
      if (next.done === true) throw new ProviderError('invalid', 'The provider sent a stream without content.');
      first.push(next.value);
      if (hasAnswerPart(next.value) || first.length === MAXIMUM_SILENT_CHUNKS) return new StartedStream(first, rest);
      length += JSON.stringify(next.value).length;
      if (length > MAXIMUM_SILENT_LENGTH) return new StartedStream(first, rest);
    }
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next chunk, from the first on. */
  next(): Promise<IteratorResult<ChatChunk, void>> {
    const value = this.first[this.given];
    if (value === undefined) return this.rest.next();
    this.given += 1;
    return Promise.resolve({ done: false, value });
  }

  /** Ends the request to the provider. */
  async return(): Promise<IteratorResult<ChatChunk, void>> {
    await this.rest.return?.();
    return { done: true, value: undefined };
  }
}

import type { ChatChunk } from '../../providers/chat-completion.js';
import { ProviderError } from '../../providers/provider-error.js';
import { saysSomething } from './says-something.js';

/** How many chunks that say nothing are held back before a stream counts as begun. */
const MAXIMUM_SILENT_CHUNKS = 100;

/** A stream of a provider whose first token has come: until then another candidate can answer instead. */
export class BegunStream implements AsyncIterable<ChatChunk> {
  private constructor(
    private readonly first: readonly ChatChunk[],
    private readonly rest: AsyncIterator<ChatChunk>,
  ) {}

  /**
   * Waits for the first token.
   *
   * @throws ProviderError for a stream that ends before it, and whatever the stream throws
   */
  static async of(chunks: AsyncIterable<ChatChunk>): Promise<BegunStream> {
    const rest = chunks[Symbol.asyncIterator]();
    const first: ChatChunk[] = [];
    for (;;) {
      const next = await rest.next();
      if (next.done === true) throw new ProviderError('invalid', 'The provider sent a stream without content.');
      first.push(next.value);
      if (saysSomething(next.value) || first.length === MAXIMUM_SILENT_CHUNKS) return new BegunStream(first, rest);
    }
  }

  /** All chunks from the first on. Leaving the iteration ends the request to the provider. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ChatChunk, void, undefined> {
    let isExhausted = false;
    try {
      yield* this.first;
      for (;;) {
        const next = await this.rest.next();
        if (next.done === true) {
          isExhausted = true;
          return;
        }
        yield next.value;
      }
    } finally {
      if (!isExhausted) await this.rest.return?.();
    }
  }
}

import { type AnswerMemory, UNCOUNTED_MEMORY } from '../../../../http/input/request-memory.js';
import type { ChatChunk } from '../../../codecs/chat/chat-completion.js';
import { hasAnswerPart } from '../../../codecs/chat/chunk-content.js';
import { parsableWeight } from '../../../codecs/chat/document-extent.js';
import { ProviderError } from '../../../codecs/errors/provider-error.js';
import { KeptMemory } from './kept-memory.js';

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
  private constructor(
    private readonly first: ChatChunk[],
    private readonly rest: AsyncIterator<ChatChunk, void>,
    private readonly kept: KeptMemory,
  ) {}

  /**
   * Waits for the first token, or for as much without one as a stream may send.
   *
   * @param first receives the chunks that come until then, and loses them as they are given: one may be as large as an event
   * @param memory holds those without content until they are given
   * @throws ProviderError for a stream that ends before it, and whatever the stream throws
   */
  static async of(
    chunks: AsyncIterable<ChatChunk, void>,
    first: ChatChunk[] = [],
    memory: AnswerMemory = UNCOUNTED_MEMORY,
  ): Promise<StartedStream> {
    const rest = chunks[Symbol.asyncIterator]();
    const kept = new KeptMemory(memory);
    let [length, weight] = [0, 0];
    for (;;) {
      const next = await rest.next();
      if (next.done === true) throw new ProviderError('invalid', 'The provider sent a stream without content.');
      first.push(next.value);
      if (hasAnswerPart(next.value) || first.length === MAXIMUM_SILENT_CHUNKS) break;
      const text = JSON.stringify(next.value);
      length += text.length;
      if (length > MAXIMUM_SILENT_LENGTH) break;
      weight += parsableWeight(text) ?? 0;
      const holding = kept.hold(weight);
      if (holding !== undefined) await holding;
    }
    return new StartedStream(first, rest, kept);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next chunk, from the first on. */
  next(): Promise<IteratorResult<ChatChunk, void>> {
    const value = this.first.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    this.kept.release();
    return this.rest.next();
  }

  /** Ends the request to the provider. */
  async return(): Promise<IteratorResult<ChatChunk, void>> {
    await this.rest.return?.();
    return { done: true, value: undefined };
  }
}

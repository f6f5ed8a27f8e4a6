import { UNCOUNTED_MEMORY } from '../../../../http/input/request-memory.js';
import type { ChatChunk, ChatDelta, FinishReason } from '../../../codecs/chat/chat-completion.js';
import { ProviderError } from '../../../codecs/errors/provider-error.js';
import { StartedStream } from './started-stream.js';

const chunk = (delta: ChatDelta, reason: FinishReason | null = null): ChatChunk => ({
  choices: [{ index: 0, delta, finish_reason: reason, native_finish_reason: reason }],
});

const ROLE = chunk({ role: 'assistant', content: '' });

/** A stream of chunks that tells how many were taken, and whether it was left. */
function streamOf(chunks: readonly ChatChunk[]): {
  readonly stream: AsyncIterable<ChatChunk>;
  readonly seen: { taken: number; isLeft: boolean };
} {
  const seen = { taken: 0, isLeft: false };
  async function* generate(): AsyncGenerator<ChatChunk, void, undefined> {
    try {
      for (const one of chunks) {
        seen.taken += 1;
        yield await Promise.resolve(one);
      }
    } finally {
      seen.isLeft = true;
    }
  }
  return { stream: generate(), seen };
}

const all = async (stream: AsyncIterable<ChatChunk>): Promise<ChatChunk[]> => {
  const chunks: ChatChunk[] = [];
  for await (const one of stream) chunks.push(one);
  return chunks;
};

describe('StartedStream', () => {
  it.each([
    ['text', chunk({ content: 'Yes.' })],
    ['reasoning', chunk({ reasoning: 'I think.' })],
    ['the call of a tool', chunk({ tool_calls: [{ index: 0, id: 'call_1' }] })],
    ['a field that is not known', chunk({ audio: { data: 'AAAA' } })],
    ['a reason to finish', chunk({}, 'stop')],
  ])('has begun with %s, and gives every chunk in order', async (_, telling) => {
    const chunks = [ROLE, { choices: [] }, telling, chunk({ content: 'More.' })];
    const { stream, seen } = streamOf(chunks);
    const begun = await StartedStream.of(stream);

    expect(seen.taken).toBe(3);
    expect(await all(begun)).toEqual(chunks);
  });

  it.each([
    ['has no chunk', []],
    ['says nothing', [ROLE, { choices: [] }, chunk({ content: null })]],
  ])('refuses a stream that %s', async (_, chunks) => {
    await expect(StartedStream.of(streamOf(chunks).stream)).rejects.toThrow(ProviderError);
  });

  it('holds no more than 100 chunks back', async () => {
    const chunks = Array<ChatChunk>(150).fill(ROLE);
    const { stream, seen } = streamOf(chunks);
    const begun = await StartedStream.of(stream);

    expect(seen.taken).toBe(100);
    expect(await all(begun)).toHaveLength(150);
  });

  it.each([
    ['probabilities', { ...ROLE.choices[0]!, logprobs: 'x'.repeat(40_000) }],
    ['empty fields', chunk(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, '']))).choices[0]!],
  ])('holds no more than 64 KiB of %s back', async (_, choice) => {
    const chunks = Array<ChatChunk>(10).fill({ choices: [choice] });
    const { stream, seen } = streamOf(chunks);
    const begun = await StartedStream.of(stream);

    expect(seen.taken).toBe(2);
    expect(await all(begun)).toHaveLength(10);
  });

  it('keeps no chunk that was given, however large the first with content is', async () => {
    const kept: ChatChunk[] = [];
    const { stream } = streamOf([ROLE, chunk({ content: 'x'.repeat(100_000) }), chunk({ content: 'Two.' })]);
    const begun = await StartedStream.of(stream, kept);
    const before = kept.length;
    await begun.next();
    await begun.next();

    expect([before, kept.length]).toEqual([2, 0]);
  });

  it('holds memory of chunks without content until they are given', async () => {
    const memory = { ...UNCOUNTED_MEMORY, tryHold: jest.fn((_bytes: number) => true), release: jest.fn() };
    const silent = { ...ROLE.choices[0]!, more: Array.from({ length: 400 }, () => ({})) };
    const { stream } = streamOf([...Array<ChatChunk>(10).fill({ choices: [silent] }), chunk({ content: 'One.' })]);
    const begun = await StartedStream.of(stream, [], memory);
    const held = memory.tryHold.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0);

    expect(held).toBeGreaterThan(10 * 400 * 50);
    expect(memory.release).not.toHaveBeenCalled();
    expect(await all(begun)).toHaveLength(11);
    expect(memory.release.mock.calls).toEqual([[held]]);
  });

  it('leaves the stream of the provider when its reader leaves', async () => {
    const { stream, seen } = streamOf([chunk({ content: 'One.' }), chunk({ content: 'Two.' })]);
    const reader = (await StartedStream.of(stream))[Symbol.asyncIterator]();
    await reader.next();
    await reader.return();

    expect(seen).toEqual({ taken: 1, isLeft: true });
  });
});

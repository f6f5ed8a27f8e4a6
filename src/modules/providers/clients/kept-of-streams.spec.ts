import { provideFor } from '../../../../test/support/network/provider-of-tests.js';
import { newCodecClient, newUpstreamClient } from '../../../../test/support/network/upstream-client-of-tests.js';
import type { ProviderServer } from '../../../../test/support/network/provider-server.js';
import type { AnswerMemory } from '../../../http/input/request-memory.js';
import type { ChatRequest } from '../../codecs/chat/chat-completion.js';

const REQUEST: ChatRequest = { model: 'm', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };

/** A text that is kept whole, and takes twice as many bytes. */
const LONG = 'i'.repeat(100_000);

/** Memory without a bound, which says what is held. */
class CountedMemory implements AnswerMemory {
  held = 0;

  reserve(bytes: number): void {
    this.held += bytes;
  }

  tryHold(bytes: number): boolean {
    this.held += bytes;
    return true;
  }

  hold(): Promise<void> {
    throw new Error('there is room');
  }

  release(bytes: number): void {
    this.held -= bytes;
  }
}

const events = (...all: readonly object[]): string => all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

const choice = (index: number, delta: object): object => ({ choices: [{ index, delta, finish_reason: null }] });

const times = (count: number, event: (index: number) => object): object[] =>
  Array.from({ length: count }, (_, index) => event(index));

describe('What a protocol keeps of a stream', () => {
  const client = newUpstreamClient();
  let provider: ProviderServer;

  provideFor(client, (started) => (provider = started));

  const OPENAI = newCodecClient('openai', client);
  const ANTHROPIC = newCodecClient('anthropic', client);

  it.each([
    [
      'ids of calls',
      OPENAI,
      times(20, (index) => choice(0, { tool_calls: [{ index, id: `${LONG}${index}`, function: { name: 'f' } }] })),
      20 * 2 * LONG.length,
    ],
    ['choices', OPENAI, times(5_000, (index) => choice(index, { role: 'assistant' })), 5_000 * 500],
    [
      'sources that wait for a text',
      OPENAI,
      times(100, (index) => ({
        ...choice(0, { role: 'assistant' }),
        search_results: times(index + 1, (n) => ({ url: `https://a.example/${n}`, snippet: 's'.repeat(16_000) })).map(
          (source, n) => (n === index ? source : {}),
        ),
      })),
      100 * 2 * 16_000,
    ],
    [
      'blocks that have begun',
      ANTHROPIC,
      times(20, (index) => ({
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: 'a', name: 'f', input: { text: LONG } },
      })),
      20 * 2 * LONG.length,
    ],
  ])('counts as memory while it goes on, and no longer afterwards: %s', async (_, protocol, sent, least) => {
    const memory = new CountedMemory();
    // What comes last is small, so that only what is kept is held while it is waited for.
    const last =
      protocol === OPENAI
        ? choice(0, { content: 'Last' })
        : { type: 'content_block_start', index: 99_999, content_block: { type: 'text', text: 'Last' } };
    provider.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events(...sent, last));
    });
    const asker = { organizationId: 'organization', signal: new AbortController().signal, memory };
    const reading = protocol.stream('chat', provider.upstream(), REQUEST, asker)[Symbol.asyncIterator]();
    while (!JSON.stringify((await reading.next()).value).includes('Last'));
    const held = memory.held;
    await reading.return?.();

    expect(held).toBeGreaterThanOrEqual(least);
    expect(memory.held).toBe(0);
  });

  it('is of blocks no more than the beginnings of their positions, whatever those are', async () => {
    const block = { type: 'tool_use', id: 'a', name: 'f', input: {} };
    const begin = (index: unknown): object => ({ type: 'content_block_start', index, content_block: block });
    const reading = async (...all: readonly object[]): Promise<void> => {
      provider.answerStream(events(...all));
      const asker = { organizationId: 'organization', signal: new AbortController().signal };
      for await (const chunk of ANTHROPIC.stream('chat', provider.upstream(), REQUEST, asker))
        expect(chunk).toBeDefined();
    };

    await expect(reading(begin({ a: 1 }), begin([LONG]))).rejects.toThrow('began a block within another');
    await expect(reading(begin(LONG), begin(LONG))).rejects.toThrow('began a block within another');
  });
});

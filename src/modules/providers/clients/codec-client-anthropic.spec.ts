import { provideFor } from '../../../../test/support/network/provider-of-tests.js';
import { newCodecClient, newUpstreamClient } from '../../../../test/support/network/upstream-client-of-tests.js';
import type { ProviderServer } from '../../../../test/support/network/provider-server.js';
import type { ChatChunk, ChatRequest } from '../../codecs/chat/chat-completion.js';

const REQUEST: ChatRequest = { model: 'claude', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };

function streamOf(...events: readonly { readonly type: string }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

const START = { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 5, output_tokens: 1 } } };
const BLOCK = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const HELLO = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } };
const END = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } };
const STOP = { type: 'message_stop' };

describe('The protocol of Anthropic', () => {
  const client = newUpstreamClient();
  const protocol = newCodecClient('anthropic', client);
  const ASKER = { organizationId: 'organization', signal: new AbortController().signal };
  let provider: ProviderServer;

  provideFor(client, (started) => (provider = started));

  async function streamed(): Promise<ChatChunk[]> {
    const chunks: ChatChunk[] = [];
    for await (const chunk of protocol.stream('chat', provider.upstream(), REQUEST, ASKER)) chunks.push(chunk);
    return chunks;
  }

  it('sends the key and the version of the form, and reads a whole answer', async () => {
    provider.answerJson({ id: 'msg_1', content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' });
    const completion = await protocol.whole('chat', provider.upstream(), REQUEST, ASKER);
    expect(completion.choices[0]!.message.content).toBe('Hi');
    expect(completion.usage).toBeNull();
    expect(provider.received).toMatchObject([
      {
        method: 'POST',
        path: '/v1/messages',
        headers: { 'x-api-key': 'provider-key-0123456789', 'anthropic-version': '2023-06-01' },
        body: { model: 'claude', max_tokens: 50, messages: [{ role: 'user' }] },
      },
    ]);
    expect(provider.received[0]!.headers).not.toHaveProperty('authorization');
  });

  it('fails when pings come for ever', async () => {
    // Half an hour passes in a fraction of a second.
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() * 20_000);
    const closed = new Promise<void>((resolve) => {
      provider.answerWith((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(streamOf(START, BLOCK, HELLO));
        const signs = setInterval(() => response.write(streamOf({ type: 'ping' })), 5);
        response.once('close', () => {
          clearInterval(signs);
          resolve();
        });
      });
    });
    await expect(streamed()).rejects.toMatchObject({ kind: 'timeout' });
    await closed;
    clock.mockRestore();
  }, 25_000);

  it('reads a stream to its last event', async () => {
    provider.answerStream(streamOf(START, BLOCK, HELLO, END, STOP));
    const chunks = await streamed();
    expect(provider.received[0]!.body).toMatchObject({ stream: true });
    expect(chunks.map(({ choices }) => choices[0]?.delta.content)).toEqual(['', 'Hello', undefined]);
    expect(chunks.at(-1)!.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 2 });
  });

  it('reads a whole message in place of a stream, and fails for one that is empty or none', async () => {
    const content = [
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { a: 1 } },
    ];
    const message = { type: 'message', id: 'msg_1', content, usage: { input_tokens: 5, output_tokens: 2 } };
    provider.answerJson({ ...message, stop_reason: 'tool_use' });
    const call = { index: 0, id: 'toolu_1', type: 'function', function: { name: 'read', arguments: '{"a":1}' } };
    expect(await streamed()).toMatchObject([
      {
        upstreamId: 'msg_1',
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi', tool_calls: [call] } }],
        usage: { prompt_tokens: 5, completion_tokens: 2 },
      },
    ]);
    provider.answerJson({ ...message, stop_reason: null });
    expect(await streamed()).toMatchObject([{ choices: [{ finish_reason: 'tool_calls' }] }]);
    for (const document of [{ ...message, content: [], stop_reason: null }, { type: 'message' }, { type: 'ping' }]) {
      provider.answerJson(document);
      await expect(streamed()).rejects.toMatchObject({ name: 'ProviderError' });
    }
  });

  it.each([
    ['behind its last event', [END, STOP]],
    ['in place of it', [END]],
  ])('reads a stream without names of events, of which a [DONE] comes %s', async (_, last) => {
    const texts = [START, BLOCK, HELLO, ...last].map((event) => `data: ${JSON.stringify(event)}\n\ndata: \n\n`);
    const left = new Promise<void>((resolve) => {
      provider.answerWith((response) => {
        // It never ends by itself.
        response.once('close', resolve).writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`${texts.join('')}data: [DONE]\n\n`);
      });
    });
    expect((await streamed()).at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    await left;
  });

  it('fails when a [DONE] comes before the message ends', async () => {
    provider.answerStream(`${streamOf(START, BLOCK, HELLO)}data: [DONE]\n\n`);
    await expect(streamed()).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('fails when the stream ends before the message does', async () => {
    provider.answerStream(streamOf(START, BLOCK, HELLO));
    await expect(streamed()).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('fails with the error that the stream contains', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    provider.answerStream(streamOf(START, BLOCK, HELLO, error));
    await expect(streamed()).rejects.toMatchObject({ kind: 'refused', message: 'Overloaded', status: 529 });
  });

  it.each([
    ['of its type', 'event: error\ndata: {"type":"error"}\n\n'],
    ['of its type alone', 'data: {"type":"error","error":null}\n\n'],
    ['of its name alone', 'event: error\ndata: {"message":"Overloaded"}\n\n'],
  ])('fails with an error without particulars, %s, also where the stream goes on', async (_, error) => {
    provider.answerStream(streamOf(START, BLOCK, HELLO) + error + streamOf(END, STOP));
    await expect(streamed()).rejects.toMatchObject({ kind: 'refused', message: 'The provider reported an error.' });
  });

  it('fails for an event that is no JSON object', async () => {
    provider.answerStream('event: message_start\ndata: {"type":\n\n');
    await expect(streamed()).rejects.toMatchObject({ kind: 'invalid' });
  });
});

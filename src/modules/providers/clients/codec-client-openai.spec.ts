import { provideFor } from '../../../../test/support/network/provider-of-tests.js';
import { newCodecClient, newUpstreamClient } from '../../../../test/support/network/upstream-client-of-tests.js';
import type { ProviderServer } from '../../../../test/support/network/provider-server.js';
import { until } from '../../../../test/support/time/until.js';
import type { ChatChunk, ChatRequest } from '../../codecs/chat/chat-completion.js';
import { EVENT_BOUNDS } from '../../codecs/chat/document-extent.js';

const REQUEST: ChatRequest = { model: 'small-1', messages: [{ role: 'user', content: 'Hello' }], seed: 7 };

describe('The protocol of OpenAI', () => {
  const client = newUpstreamClient();
  const protocol = newCodecClient('openai', client);
  const ASKER = { organizationId: 'organization', signal: new AbortController().signal };
  let provider: ProviderServer;

  provideFor(client, (started) => (provider = started));

  async function streamed(request = REQUEST): Promise<ChatChunk[]> {
    const chunks: ChatChunk[] = [];
    for await (const chunk of protocol.stream('chat', provider.upstream(), request, ASKER)) chunks.push(chunk);
    return chunks;
  }

  it('sends a request as it is, with the key as a bearer token', async () => {
    provider.answerJson({
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    });
    await protocol.whole('chat', provider.upstream(), REQUEST, ASKER);
    expect(provider.received).toMatchObject([
      {
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { authorization: 'Bearer provider-key-0123456789', 'content-type': 'application/json' },
        body: REQUEST,
      },
    ]);
  });

  it('sends no credential to a server that wants none', async () => {
    provider.answerJson({ choices: [{ message: { content: 'Hi' } }] });
    await protocol.whole('chat', provider.upstream({ apiKey: null }), REQUEST, ASKER);
    expect(provider.received[0]!.headers).not.toHaveProperty('authorization');
  });

  it('reads a whole answer', async () => {
    provider.answerJson({
      id: 'chatcmpl-1',
      system_fingerprint: 'fp_1',
      service_tier: 'default',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hi', reasoning_content: 'They greet.', annotations: [] },
          finish_reason: 'stop',
          logprobs: null,
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    });
    expect(await protocol.whole('chat', provider.upstream(), REQUEST, ASKER)).toEqual({
      upstreamId: 'chatcmpl-1',
      systemFingerprint: 'fp_1',
      serviceTier: 'default',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hi', reasoning: 'They greet.', annotations: [] },
          finish_reason: 'stop',
          native_finish_reason: 'stop',
          logprobs: null,
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    });
  });

  it('refuses an answer without choices, or with one that has no message', async () => {
    for (const document of [{}, { choices: [] }, { choices: [{}] }, [], 'text', null]) {
      provider.answerJson(document);
      await expect(protocol.whole('chat', provider.upstream(), REQUEST, ASKER)).rejects.toMatchObject({
        kind: 'invalid',
      });
    }
  });

  it('fails for an answer that says nothing but that it has failed, and keeps what one has said before', async () => {
    const failed = (content: string, others: object = {}): object => ({
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'error', ...others }],
    });
    const error = { code: 502, message: 'Lost with provider-key-0123456789' };
    for (const [document, expected] of [
      [failed('', { error }), { kind: 'refused', status: 502, message: 'Lost with [redacted]' }],
      [failed(''), { kind: 'refused', status: null, message: 'The provider reported an error.' }],
    ] as const) {
      provider.answerJson(document);
      await expect(protocol.whole('chat', provider.upstream(), REQUEST, ASKER)).rejects.toMatchObject(expected);
    }
    for (const [others, shown] of [
      [{ error }, { code: 502, message: 'Lost with [redacted]' }],
      [{}, { code: 502, message: 'The provider reported an error.' }],
    ] as const) {
      provider.answerJson(failed('Half of it', others));
      const { choices } = await protocol.whole('chat', provider.upstream(), REQUEST, ASKER);
      expect(choices).toMatchObject([{ message: { content: 'Half of it' }, finish_reason: 'error', error: shown }]);
    }
  });

  describe('for a stream', () => {
    const HELLO = 'data: {"id":"1","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"}}]}\n\n';
    const SILENT = 'data: {"id":"1","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n';
    const STOP = 'data: {"id":"1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
    const USAGE =
      'data: {"id":"1","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}\n\n';
    const DONE = 'data: [DONE]\n\n';

    it('always asks for the usage, and keeps the other options', async () => {
      provider.answerStream(DONE);
      await streamed({ ...REQUEST, stream_options: { include_obfuscation: false, include_usage: false } });
      expect(provider.received[0]!.body).toEqual({
        ...REQUEST,
        stream: true,
        stream_options: { include_obfuscation: false, include_usage: true },
      });
    });

    it('reads a whole answer in place of a stream, and fails for one that is none', async () => {
      const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
      const call = { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } };
      const message = { role: 'assistant', content: 'Hi', reasoning_content: 'They greet.', tool_calls: [call] };
      provider.answerJson({ id: '1', choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
      const delta = { role: 'assistant', content: 'Hi', reasoning: 'They greet.', tool_calls: [{ index: 0, ...call }] };
      const ended = { finish_reason: 'tool_calls', native_finish_reason: 'stop' };
      expect(await streamed()).toEqual([{ upstreamId: '1', choices: [{ index: 0, delta, ...ended }], usage }]);

      provider.answerJson({ choices: [{ message: { content: 'Hi' } }] });
      expect((await streamed()).at(-1)!.choices).toMatchObject([{ finish_reason: 'stop', native_finish_reason: null }]);

      for (const [document, expected] of [
        [{ error: { message: 'No streams', code: 400 } }, { kind: 'refused', status: 400 }],
        [[], { kind: 'invalid' }],
        ['text', { kind: 'invalid' }],
      ] as const) {
        provider.answerJson(document);
        await expect(streamed()).rejects.toMatchObject(expected);
      }
    });

    it('reads the chunks, the finish reason and the usage', async () => {
      provider.answerStream(HELLO + STOP + USAGE + DONE);
      expect(await streamed()).toEqual([
        {
          upstreamId: '1',
          choices: [
            {
              index: 0,
              delta: { role: 'assistant', content: 'Hello' },
              finish_reason: null,
              native_finish_reason: null,
            },
          ],
        },
        {
          upstreamId: '1',
          choices: [{ index: 0, delta: {}, finish_reason: 'stop', native_finish_reason: 'stop' }],
        },
        { upstreamId: '1', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
      ]);
    });

    it('takes [DONE], or a finish reason before a clean end, as finished', async () => {
      for (const text of [HELLO + DONE, HELLO + STOP, HELLO + STOP + USAGE]) {
        provider.answerStream(text);
        expect((await streamed()).length).toBeGreaterThan(0);
      }
    });

    it('fails when the stream ends before the model has finished', async () => {
      for (const text of ['', HELLO, USAGE, HELLO + STOP.slice(0, 40)]) {
        provider.answerStream(text);
        await expect(streamed()).rejects.toMatchObject({ kind: 'unreachable' });
      }
    });

    it('fails with the error that the stream contains', async () => {
      provider.answerStream(
        `${HELLO}data: {"error":{"message":"Too busy","type":"server_error","code":503}}\n\n${DONE}`,
      );
      await expect(streamed()).rejects.toMatchObject({
        kind: 'refused',
        message: 'Too busy',
        status: 503,
        code: '503',
      });
    });

    it('gives each tool call a place of its own, where a provider counts them all as the first or not at all', async () => {
      const called = (call: object): string =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })}\n\n`;
      for (const index of [{ index: 0 }, {}]) {
        provider.answerStream(
          called({ ...index, id: 'a', function: { name: 'first', arguments: '{' } }) +
            called({ ...index, function: { arguments: '}' } }) +
            called({ ...index, id: 'b', function: { name: 'second', arguments: '{' } }) +
            // Some servers name a call again, and others give each part a new id.
            called({ ...index, id: 'b', function: { name: 'second', arguments: '"x":' } }) +
            called({ ...index, id: 'c', function: { arguments: '1}' } }) +
            called({ index: 3, id: 'd', function: { name: 'third', arguments: '{}' } }) +
            DONE,
        );
        const places = (await streamed()).slice(0, -1).map(({ choices }) => choices[0]!.delta.tool_calls![0]!.index);
        expect(places).toEqual([0, 0, 1, 1, 1, 2]);
      }
    });

    it('keeps the places of tool calls whose parts take turns', async () => {
      const parts = [1, 0, 1, 0].map((index, at) => ({
        index,
        ...(at < 2 && { id: `call-${index}` }),
        function: { ...(at < 2 && { name: 'look_up' }), arguments: String(at) },
      }));
      provider.answerStream(`data: ${JSON.stringify({ choices: [{ delta: { tool_calls: parts } }] })}\n\n${DONE}`);
      const [chunk] = await streamed();
      expect(chunk!.choices[0]!.delta.tool_calls).toEqual(
        parts.map((part) => ({ ...part, ...('id' in part && { type: 'function' }) })),
      );
    });

    it('fails for more than 2,000 tool calls', async () => {
      const calls = (from: number): string => {
        const list = Array.from({ length: 1_001 }, (_, at) => ({ id: `c${from + at}`, function: { name: 'f' } }));
        return `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: list } }] })}\n\n`;
      };
      provider.answerStream(calls(0) + calls(1_001) + DONE);
      await expect(streamed()).rejects.toMatchObject({ kind: 'invalid' });
    });

    it('fails at the end, behind the usage, when a choice has failed', async () => {
      for (const [reason, error] of [
        ['error', { error: { code: 503, message: 'Lost' } }],
        ['insufficient_system_resource', {}],
      ] as const) {
        const failed = { index: 0, delta: { content: '!' }, finish_reason: reason, ...error };
        provider.answerStream(`${HELLO}data: ${JSON.stringify({ choices: [failed] })}\n\n${USAGE}${DONE}`);
        const chunks: ChatChunk[] = [];
        const reading = (async (): Promise<void> => {
          for await (const chunk of protocol.stream('chat', provider.upstream(), REQUEST, ASKER)) chunks.push(chunk);
        })();
        await expect(reading).rejects.toMatchObject(
          reason === 'error'
            ? { kind: 'refused', status: 503, message: 'Lost' }
            : { kind: 'refused', status: null, message: 'The provider reported an error.' },
        );
        expect(chunks).toHaveLength(3);
        expect(chunks[1]!.choices).toEqual([
          { index: 0, delta: { content: '!' }, finish_reason: null, native_finish_reason: null },
        ]);
        expect(chunks[2]!.usage).toMatchObject({ total_tokens: 3 });
      }
    });

    it('fails for an event whose name is error, whatever it says', async () => {
      for (const [data, message] of [
        ['{"message":"Lost"}', 'Lost'],
        ['{"choices":[]}', 'The provider reported an error.'],
      ]) {
        provider.answerStream(`${HELLO}event: error\ndata: ${data}\n\n${STOP}${DONE}`);
        await expect(streamed()).rejects.toMatchObject({ kind: 'refused', message });
      }
    });

    it('leaves out events whose data is empty', async () => {
      provider.answerStream(`data:\n\n${HELLO}data: \n\n${STOP}${DONE}`);
      expect(await streamed()).toHaveLength(2);
    });

    it('fails for a chunk that is not JSON, or no object', async () => {
      for (const data of ['{"choices":[{"del', '[1]', '7', '"text"']) {
        provider.answerStream(`data: ${data}\n\n${DONE}`);
        await expect(streamed()).rejects.toMatchObject({ kind: 'invalid' });
      }
    });

    it('fails when chunks without content come for ever', async () => {
      // Half an hour passes in a fraction of a second.
      const now = performance.now.bind(performance);
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() * 20_000);
      const closed = new Promise<void>((resolve) => {
        provider.answerWith((response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(HELLO);
          const signs = setInterval(() => response.write(SILENT), 5);
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

    it('fails for an event with more parts than one is read with, which a whole answer may have', async () => {
      const chances = Array<object>(EVENT_BOUNDS.parts / 5).fill({ token: 'a', logprob: -1, bytes: [97] });
      const said = { content: 'Hi' };
      const logprobs = { content: chances };
      provider.answerStream(`data: ${JSON.stringify({ choices: [{ delta: said, logprobs }] })}\n\n${DONE}`);
      await expect(streamed()).rejects.toMatchObject({ kind: 'invalid' });
      provider.answerJson({ choices: [{ message: said, logprobs }] });
      const { choices } = await protocol.whole('chat', provider.upstream(), REQUEST, ASKER);
      expect(choices[0]!.logprobs).toEqual({ ...logprobs, refusal: null });
    });

    it('uses the connection again after [DONE]', async () => {
      provider.answerWith(async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(HELLO + DONE);
        // The end of the body comes in a packet of its own.
        await new Promise((resolve) => setImmediate(resolve));
        response.end();
      });
      // The rest of an answer may take longer than the beginning of the next call.
      await until(async () => {
        const before = provider.connections;
        await streamed();
        return provider.connections === before;
      });
    });

    it('closes the connection when the reader leaves', async () => {
      const closed = new Promise<void>((resolve) => {
        provider.answerWith((response) => {
          response.once('close', resolve);
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(HELLO);
        });
      });
      for await (const chunk of protocol.stream('chat', provider.upstream(), REQUEST, ASKER)) {
        expect(chunk.choices).toHaveLength(1);
        break;
      }
      await closed;
    });
  });
});

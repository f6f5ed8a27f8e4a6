import { provideFor } from '../../../../test/support/network/provider-of-tests.js';
import type { ProviderServer } from '../../../../test/support/network/provider-server.js';
import { newCodecClient, newUpstreamClient } from '../../../../test/support/network/upstream-client-of-tests.js';
import type { ChatChunk, ChatRequest } from '../../codecs/chat/chat-completion.js';
import type { CalledUpstream } from '../upstream/called-upstream.js';

const REQUEST: ChatRequest = {
  model: 'gemini-3-flash',
  messages: [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '7 C' },
  ],
  service_tier: 'flex',
};

const part = (text: string, fields: object = {}): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, ...fields }],
});

const END = { finishReason: 'STOP' };

describe('The dialect of Gemini', () => {
  const client = newUpstreamClient();
  const gemini = newCodecClient('gemini', client);
  const ASKER = { organizationId: 'organization', signal: new AbortController().signal };
  let provider: ProviderServer;

  provideFor(client, (started) => (provider = started));

  const onVertex = (): CalledUpstream => ({
    ...provider.upstream(),
    address: { form: 'vertex', project: 'acme', location: 'europe-west4' },
  });

  const streamed = async (): Promise<ChatChunk[]> => {
    const chunks: ChatChunk[] = [];
    for await (const chunk of gemini.stream('chat', provider.upstream(), REQUEST, ASKER)) chunks.push(chunk);
    return chunks;
  };

  const textOf = (chunks: readonly ChatChunk[]): string =>
    chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? '')).join('');

  it('is spoken with what only the Gemini API knows', async () => {
    provider.answerJson(part('7 °C', END));
    const { choices } = await gemini.whole('chat', provider.upstream(), REQUEST, ASKER);
    expect(choices[0]!.message.content).toBe('7 °C');
    const [{ path, body, headers } = {}] = provider.received;
    expect(path).toBe('/v1/models/gemini-3-flash:generateContent');
    expect(headers!['x-goog-api-key']).toBe('provider-key-0123456789');
    expect(body).toMatchObject({
      serviceTier: 'flex',
      contents: [{}, { parts: [{ functionCall: { id: 'call_1' } }] }, {}],
    });
  });

  it('is spoken without it on Vertex', async () => {
    provider.answerJson(part('7 °C', END));
    await gemini.whole('chat', onVertex(), REQUEST, ASKER);
    const [{ path, body, headers } = {}] = provider.received;
    const place = '/projects/acme/locations/europe-west4/publishers/google';
    expect(path).toBe(`/v1${place}/models/gemini-3-flash:generateContent`);
    expect(headers!['x-vertex-ai-llm-shared-request-type']).toBe('flex');
    expect(Object.keys(body as object)).toEqual(['contents']);
    expect(JSON.stringify(body)).not.toContain('call_1');
  });

  it('has embeddings of another form on Vertex', async () => {
    provider.answerJson({ predictions: [{ embeddings: { values: [1, 2], statistics: { token_count: 3 } } }] });
    const { data, usage } = await gemini.whole(
      'embeddings',
      onVertex(),
      { model: 'gemini-embedding-001', input: ['a', 'b'] },
      ASKER,
    );
    expect(data).toHaveLength(2);
    expect(usage).toEqual({ prompt_tokens: 6, total_tokens: 6 });
    expect(provider.received.map(({ path }) => path.split('/').at(-1))).toEqual([
      'gemini-embedding-001:predict',
      'gemini-embedding-001:predict',
    ]);
  });

  it('is read where a server sends one list in place of events', async () => {
    provider.answerJson([part('It is '), part('7 °C', END)]);
    expect(textOf(await streamed())).toBe('It is 7 °C');
  });

  it.each([
    ['an event', 'text/event-stream', (error: string) => `data: ${error}\r\n\r\n`],
    ['a document', 'application/json', (error: string) => error],
    ['a document in place of events', 'text/event-stream', (error: string) => `${error.replaceAll(',', ',\n ')}\n`],
    ['a list', 'application/json', (error: string) => `[${error}]`],
  ])('refuses with %s of status 200', async (_, type, written) => {
    const error = JSON.stringify({ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } });
    provider.answerWith((response) => void response.writeHead(200, { 'content-type': type }).end(written(error)));
    await expect(streamed()).rejects.toMatchObject({ kind: 'refused', status: 503, code: 'UNAVAILABLE' });
  });

  it.each([
    ['without an end', part('It is ')],
    [
      'of another candidate without an end',
      {
        candidates: [
          { ...END, index: 0 },
          { content: { parts: [{ text: 'x' }] }, index: 1 },
        ],
      },
    ],
  ])('has broken off with a stream %s', async (_, document) => {
    provider.answerStream(`data: ${JSON.stringify(document)}\r\n\r\n`);
    await expect(streamed()).rejects.toMatchObject({ kind: 'unreachable' });
  });
});

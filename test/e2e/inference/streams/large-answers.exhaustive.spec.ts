import net from 'node:net';
import { once } from 'node:events';
import { LoopTurns } from '../../../../src/concurrency/loop-turns.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import type { Answer } from '../../../support/network/api-client.js';
import { until } from '../../../support/time/until.js';
import { EMBEDDINGS, QUESTION } from '../test-gateway.js';
import { completion, embeddings } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';

const INPUTS = 512;
const DIMENSIONS = 1_536;

/** Numbers that 32-bit floats can be. */
const VECTORS = Array.from({ length: INPUTS }, (_, input) =>
  Array.from({ length: DIMENSIONS }, (__, place) => Math.fround(Math.sin(input * DIMENSIONS + place))),
);

const BASE64 = VECTORS.map((vector) => Buffer.from(new Float32Array(vector).buffer).toString('base64'));

const TOKENS = 3_000;

/** The probabilities of a token, and of the likeliest ones at its place. */
const LOGPROBS = Array.from({ length: TOKENS }, (_, place) => ({
  ...tokenOf(` ä"${place}`),
  top_logprobs: Array.from({ length: 20 }, (__, rank) => tokenOf(` ${rank}😀`)),
}));

const CHOICE = {
  index: 0,
  message: { role: 'assistant', content: 'Ä😀"\n'.repeat(TOKENS), refusal: null },
  finish_reason: 'stop',
  native_finish_reason: 'stop',
  logprobs: { content: LOGPROBS, refusal: null },
};

function tokenOf(token: string): { token: string; logprob: number; bytes: number[] } {
  return { token, logprob: -token.length / 7, bytes: [...Buffer.from(token)] };
}

/** What the form of text completions has of the likeliest tokens of each place. */
const LIKELIEST = Object.fromEntries(
  Array.from({ length: 20 }, (_, rank) => [` ${rank}😀`, -` ${rank}😀`.length / 7] as const),
);

describe('large answers', () => {
  const gateway = sharedGateway({ variables: { STREAMS_PER_ORGANIZATION: '1' } });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);
  const input = VECTORS.map((_, index) => `text ${index}`);

  const answerWithEmbeddings = (sent: readonly (readonly number[] | string)[]): void =>
    gateway.alpha.answerJson(embeddings(sent));

  const answerWithChat = (): void => gateway.alpha.answerJson(completion('', { choices: [CHOICE] }));

  /** Asks for embeddings, and leaves the reading to the test. */
  const asked = (): net.Socket => {
    const { hostname, port } = new URL(gateway.app.origin);
    const socket = net.connect(Number(port), hostname).pause();
    const body = JSON.stringify({ model: 'acme/embedder', input, provider: { order: ['alpha'] } });
    socket.write(
      `POST /api/v1${EMBEDDINGS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key.plaintext}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    return socket;
  };

  it.each([
    ['float', 'float', VECTORS, VECTORS],
    ['float', 'base64', VECTORS, BASE64],
    ['base64', 'float', BASE64, VECTORS],
    ['base64', 'base64', BASE64, BASE64],
  ] as const)('are a 200 with all embeddings as %s where the provider sends %s', async (form, _, shown, sent) => {
    answerWithEmbeddings(sent);
    const answer = await gateway.embed(key, { input, encoding_format: form });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.text)));
    expect(answer.body.data).toEqual(shown.map((embedding, index) => ({ object: 'embedding', index, embedding })));
    expect(await gateway.record(answer, key)).toMatchObject({ status: 200, provider_name: 'Alpha Cloud' });
  });

  it('are a 200 with all of a chat and the probabilities of its tokens', async () => {
    answerWithChat();
    const answer = await gateway.ask(key);

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.text)));
    expect(answer.body.choices).toEqual([CHOICE]);
  });

  it('are a 200 with all of a chat in the form of text completions, messages and responses', async () => {
    answerWithChat();
    const ask = (path: string, fields: object): Promise<Answer> =>
      gateway.app.api.post(path, {
        key: key.plaintext,
        json: { model: 'acme/writer', provider: { order: ['alpha'] }, ...fields },
      });
    const text = await ask('/completions', { prompt: 'Hello' });
    const message = await ask('/messages', { messages: QUESTION, max_tokens: 100 });
    const response = await ask('/responses', { input: 'Hello' });

    expect([text.status, message.status, response.status]).toEqual([200, 200, 200]);
    const { content } = CHOICE.message;
    const tokens = LOGPROBS.map(({ token }) => token);
    const likeliest = LOGPROBS.map(({ token, logprob }) => ({ ...LIKELIEST, [token]: logprob }));
    expect(text.body).toMatchObject({ choices: [{ text: content, logprobs: { tokens, top_logprobs: likeliest } }] });
    expect(message.body).toMatchObject({ content: [{ type: 'text', text: content }] });
    expect(response.body).toMatchObject({ output: [{ content: [{ text: content, logprobs: LOGPROBS }] }] });
  });

  it.each([
    ['embeddings', () => answerWithEmbeddings(VECTORS), () => gateway.embed(key, { input })],
    ['a chat', answerWithChat, () => gateway.ask(key)],
  ])('take turns of their organization, and are a 200, when they are %s', async (_, prepare, ask) => {
    prepare();
    const turns = jest.spyOn(gateway.app.application.get(LoopTurns), 'next');
    const { status } = await ask();
    const taken = turns.mock.calls.map(([organizationId]) => organizationId);
    turns.mockRestore();

    expect(status).toBe(200);
    expect(taken.length).toBeGreaterThanOrEqual(6);
    expect(new Set(taken)).toEqual(new Set([organization.organizationId]));
  });

  it('wait for a client that does not read, count as open until then (429 for more), and are a whole 200 when it does', async () => {
    answerWithEmbeddings(VECTORS);
    const socket = asked();
    const pieces: Buffer[] = [];
    await once(socket, 'readable');
    expect((await gateway.ask(key)).status).toBe(429);
    for await (const piece of socket as AsyncIterable<Buffer>) pieces.push(piece);
    const [head, ...body] = Buffer.concat(pieces).toString().split('\r\n\r\n');

    expect(head).toContain('HTTP/1.1 200 OK');
    expect(JSON.parse(body.join(''))).toMatchObject({ data: { length: INPUTS } });
    await until(async () => (await gateway.ask(key)).status === 200);
  });

  it('end where the client leaves, and the next one is a 200', async () => {
    answerWithEmbeddings(VECTORS);
    const socket = asked();
    await once(socket, 'readable');
    socket.destroy();

    await until(async () => (await gateway.embed(key, { input })).status === 200);
  });

  it('are not used if the document of the provider is not JSON: the next provider answers 200', async () => {
    const text = JSON.stringify(embeddings(VECTORS));
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`${text.slice(0, -1)},}`);
    });
    gateway.beta.answerJson(embeddings(VECTORS));
    const answer = await gateway.embed(key, { input });

    expect(answer.status).toBe(200);
    expect(await gateway.record(answer, key)).toMatchObject({
      provider_responses: [{ provider_name: 'Alpha Cloud' }, { provider_name: 'Beta Cloud', status: 200 }],
    });
  });
});

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '../../../support/time/until.js';
import { EMBEDDINGS, QUESTION } from '../test-gateway.js';
import { chunk, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

/** An answer of 128 MiB: far more than the network between holds. */
const LARGE = { events: 2_048, text: 'x'.repeat(64 * 1024) };

/** After how many checks without progress, 5 ms apart, a sender counts as blocked. */
const LOOKS = 100;

describe('sendChatCompletionRequest for a client that', () => {
  const gateway = sharedGateway();
  const key = keyPerTest(gateway, organizationPerTest(gateway));
  let client: AbortController;

  beforeEach(() => {
    client = new AbortController();
  });

  /** Lets Alpha begin a response, and do nothing more. @returns the response, as soon as Alpha was asked */
  const alphaHolds = (begin: (response: ServerResponse) => void): Promise<ServerResponse> =>
    new Promise((resolve) => {
      gateway.alpha.answerWith((response) => {
        begin(response);
        resolve(response);
      });
    });

  /** Asks Alpha for a stream over a connection of its own. */
  const rawStream = (version: 'HTTP/1.0' | 'HTTP/1.1'): net.Socket => {
    const { hostname, port } = new URL(gateway.app.origin);
    const socket = net.connect(Number(port), hostname);
    const body = JSON.stringify({
      model: 'acme/writer',
      messages: QUESTION,
      stream: true,
      provider: { only: ['alpha'] },
    });
    socket.write(
      `POST /api/v1/chat/completions ${version}\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key.plaintext}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    return socket;
  };

  it('leaves a stream ends the request to the provider, and is charged what was delivered, with status 200', async () => {
    const held = alphaHolds((response) => {
      response.writeHead(200, STREAM_HEAD).write(chunk({ role: 'assistant', content: '12345' }));
    });
    const answer = await gateway.open(key, {}, client.signal);
    await answer.body!.getReader().read();
    client.abort();
    await once(await held, 'close');

    // 12 bytes of a prompt and 5 of an answer are 3 and 2 tokens.
    expect(await gateway.onlyRecord(key)).toMatchObject({
      status: 200,
      streamed: true,
      cancelled: true,
      finish_reason: null,
      tokens_prompt: 3,
      tokens_completion: 2,
      total_cost: 0.000007,
    });
    expect(gateway.beta.received).toEqual([]);
  });

  it('leaves a stream before its first token is recorded with status 499, and charged the prompt, which the provider has read', async () => {
    const held = alphaHolds((response) => response.writeHead(200, STREAM_HEAD).flushHeaders());
    const asked = gateway.open(key, {}, client.signal);
    const response = await held;
    client.abort();
    await expect(asked).rejects.toThrow();
    await once(response, 'close');

    expect(await gateway.onlyRecord(key)).toMatchObject({
      status: 499,
      cancelled: true,
      tokens_prompt: 3,
      tokens_completion: 0,
      total_cost: 0.000003,
      provider_responses: [{ provider_name: 'Alpha Cloud', status: null }],
    });
    expect(gateway.beta.received).toEqual([]);
  });

  it('leaves a whole answer ends the request to the provider, and is recorded with status 499 and charged the prompt, which the provider has read', async () => {
    const held = alphaHolds(() => undefined);
    const asked = fetch(`${gateway.app.origin}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.plaintext}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'acme/writer', messages: QUESTION, provider: { only: ['alpha'] } }),
      signal: client.signal,
    });
    const response = await held;
    client.abort();
    await expect(asked).rejects.toThrow();
    await once(response, 'close');

    expect(await gateway.onlyRecord(key)).toMatchObject({
      status: 499,
      streamed: false,
      cancelled: true,
      tokens_prompt: 3,
      tokens_completion: 0,
      total_cost: 0.000003,
      provider_responses: [{ provider_name: 'Alpha Cloud', status: null }],
    });
    expect(gateway.beta.received).toEqual([]);
  });

  it('leaves while vectors are made ends the request to the provider, and is charged its inputs, with status 499', async () => {
    const held = alphaHolds(() => undefined);
    const asked = fetch(`${gateway.app.origin}/api/v1${EMBEDDINGS}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.plaintext}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'acme/embedder', input: 'What is new?', provider: { only: ['alpha'] } }),
      signal: client.signal,
    });
    const response = await held;
    client.abort();
    await expect(asked).rejects.toThrow();
    await once(response, 'close');

    expect(await gateway.onlyRecord(key)).toMatchObject({ status: 499, cancelled: true, total_cost: 0.000003 });
  });

  it('ends its side of the connection before the first token has left: the record has the status 499', async () => {
    const held = alphaHolds((response) => response.writeHead(200, STREAM_HEAD).flushHeaders());
    const socket = rawStream('HTTP/1.1');
    const response = await held;
    socket.end();
    await once(response, 'close');

    expect(await gateway.onlyRecord(key)).toMatchObject({ status: 499, cancelled: true, total_cost: 0.000003 });
  });

  it('does not read, and resets its connection, ends the request to the provider, and is recorded with status 200 as having left', async () => {
    const held = alphaHolds((response) => {
      response.writeHead(200, STREAM_HEAD);
      for (let sent = 0; sent < 200; sent += 1) response.write(chunk({ content: LARGE.text }));
    });
    const socket = rawStream('HTTP/1.1').pause();
    const response = await held;
    const closed = once(response, 'close');
    await once(socket, 'readable');
    socket.resetAndDestroy();
    await closed;

    expect(await gateway.onlyRecord(key)).toMatchObject({
      status: 200,
      streamed: true,
      cancelled: true,
      finish_reason: null,
    });
  });

  it('does not read holds up the provider instead of filling the memory, and gets all when it reads', async () => {
    let sent = 0;
    let isFinished = false;
    gateway.alpha.answerWith(async (response) => {
      response.writeHead(200, STREAM_HEAD);
      const event = chunk({ content: LARGE.text });
      for (; sent < LARGE.events; sent += 1) if (!response.write(event)) await once(response, 'drain');
      response.end(STREAM_END);
      isFinished = true;
    });
    const socket = rawStream('HTTP/1.1').pause();
    let [last, looks] = [-1, 0];
    await until(() => {
      looks = sent === last && sent > 0 ? looks + 1 : 0;
      last = sent;
      return Promise.resolve(isFinished || looks === LOOKS);
    });

    expect(isFinished).toBe(false);
    let received = 0;
    let end = '';
    socket.on('data', (piece: Buffer) => {
      received += piece.length;
      end = (end + piece.toString('latin1')).slice(-100);
    });
    await once(socket.resume(), 'end');
    expect(isFinished).toBe(true);
    expect(received).toBeGreaterThan(LARGE.events * LARGE.text.length);
    expect(end).toContain('data: [DONE]\n\n');
  });

  it('sends HTTP/1.0 gets the events of a stream (200) as they are, without the sizes of chunks', async () => {
    gateway.alpha.answerWith((response) => {
      response
        .writeHead(200, STREAM_HEAD)
        .end([chunk({ content: 'One' }), chunk({ content: 'Two' }), STREAM_END].join(''));
    });

    const [head = '', events = ''] = (await text(rawStream('HTTP/1.0'))).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(head).not.toContain('Transfer-Encoding');
    expect(events.split('\n\n').map((event) => event.slice(0, 'data: {'.length))).toEqual([
      ...Array.from({ length: 4 }, () => 'data: {'),
      'data: [',
      '',
    ]);
  });
});

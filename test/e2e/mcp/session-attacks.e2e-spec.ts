import type { ServerResponse } from 'node:http';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { ProviderServer, type ReceivedRequest } from '../../support/network/provider-server.js';
import { until } from '../../support/time/until.js';
import { mcpGateway } from './mcp-gateway.js';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: object;
  readonly error?: { readonly code: number };
}

const SESSION = 'session-of-the-server';
const ALL = { sampling: {}, elicitation: {}, roots: {} };
const TOOL = { name: 'tool', inputSchema: { type: 'object' } };

describe('MCP servers that misuse sessions of clients', () => {
  const gateway = mcpGateway();
  const { app } = gateway;
  const hostile = filledBefore(beforeAll, async () => ({
    server: await ProviderServer.start(),
    other: await ProviderServer.start(),
  }));
  afterAll(() => Promise.all([hostile.server.stop(), hostile.other.stop()]));

  /** Answers as a server of 2025-11-25, but for calls of tools. */
  const play = (
    called: (response: ServerResponse, id: number, request: ReceivedRequest) => void,
    server = hostile.server,
  ): void =>
    server.answerWith((response, request) => {
      const { id, method } = (request.body ?? {}) as Message;
      const say = (result: object): void =>
        void response
          .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': SESSION })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (method === 'server/discover') response.writeHead(400).end();
      else if (method === 'initialize') say({ protocolVersion: '2025-11-25', capabilities: { tools: {} } });
      else if (method === 'tools/list') say({ tools: [TOOL] });
      else if (method === 'tools/call') called(response, id as number, request);
      else if (request.method === 'GET')
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      else response.writeHead(202).end();
    });

  const post = (
    key: IssuedCredential,
    message: object,
    { session, path = '/docs' }: { session?: string | undefined; path?: string } = {},
  ) =>
    app.api.post<Message>(`/mcp${path}`, {
      key: key.plaintext,
      json: { jsonrpc: '2.0', ...message },
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
    });

  const opened = async (key: IssuedCredential, path = '/docs', capabilities: object = ALL): Promise<string> => {
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } };
    const { headers, status } = await post(key, { id: 1, method: 'initialize', params }, { path });
    expect(status).toBe(200);
    const session = headers.get('mcp-session-id')!;
    await post(key, { method: 'notifications/initialized' }, { session, path });
    return session;
  };

  const streamed = (response: ServerResponse, ...messages: object[]): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const message of messages) response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  };

  /** What the server was sent of answers. */
  const answers = (server = hostile.server): Message[] =>
    server.received
      .map(({ body }) => body as Message | undefined)
      .filter((message): message is Message => message !== undefined && message.method === undefined);

  const called = (key: IssuedCredential, session: string) =>
    post(key, { id: 2, method: 'tools/call', params: { name: 'tool' } }, { session });

  const all = { allowed_mcp_tools: ['docs/*'] };
  const added = (fields: object = {}) =>
    gateway.added('docs', hostile.server.baseUrl, { timeout_ms: 3_000, ...fields });

  it.each<[fault: string, message: (number: number) => object, reason: string]>([
    ['asks without end', (id) => ({ id, method: 'ping' }), 'asks too much'],
    ['asks for what was not announced without end', (id) => ({ id, method: 'tools/call' }), 'asks too much'],
    [
      'asks with more than there may be',
      (id) => ({ id, method: 'elicitation/create', params: { message: 'x'.repeat(1_048_576) } }),
      'too large',
    ],
    ['tells without end', () => ({ method: 'notifications/message', params: { level: 'info' } }), 'too many messages'],
  ])('answer 200 with an error where one %s', async (_, message, reason) => {
    play((response) => {
      let number = 0;
      const more = (): void => {
        while (!response.destroyed && number < 20_000) {
          number += 1;
          streamed(response, message(number));
          if (response.writableNeedDrain) break;
        }
      };
      response.on('drain', more);
      more();
    });
    await added({ timeout_ms: 60_000 });
    const key = await gateway.guarded(all);
    const { text } = await called(key, await opened(key));
    expect(text).toContain('mcp_server_failed');
    expect(text).toContain(reason);
  });

  it('get an error for requests that were not announced, or are none, and the client 200 with nothing of them', async () => {
    play((response, id) => {
      streamed(
        response,
        { id: 'a', method: 'sampling/createMessage', params: {} },
        { id: 'b', method: 'tools/call', params: {} },
        { id: 'c', method: '__proto__', params: {} },
        { id: 'x'.repeat(300), method: 'roots/list' },
        { id: { a: 1 }, method: 'roots/list' },
        { id, result: { content: [] } },
      );
      response.end();
    });
    await added();
    const key = await gateway.guarded(all);
    const { text } = await called(key, await opened(key, '/docs', { roots: {} }));
    expect(text).not.toContain('createMessage');
    expect(text).not.toContain('roots/list');
    expect(answers().map(({ id, error }) => [id, error?.code])).toEqual([
      ['a', -32601],
      ['b', -32601],
      ['c', -32601],
    ]);
  });

  it('alone get what clients answer (202), whatever its id, in the session of the client, and others 404 or 400', async () => {
    play((response, id) => void response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":${id}}`));
    play(() => undefined, hostile.other);
    await added();
    await gateway.added('other', hostile.other.baseUrl);
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*', 'other/*'] });
    const session = await opened(key);
    const answer = { id: 'of another session', result: { action: 'accept' } };
    expect((await post(key, answer, { session })).status).toBe(202);
    expect(answers()).toMatchObject([answer]);
    expect(hostile.server.received.at(-1)!.headers).toMatchObject({ 'mcp-session-id': SESSION });
    expect(answers(hostile.other)).toEqual([]);
    const stranger = await gateway.guarded(all);
    expect((await post(stranger, answer, { session })).status).toBe(404);
    expect((await post(key, answer, { session, path: '/other' })).status).toBe(404);
    expect((await post(key, answer, { session: `${session.slice(0, -4)}AAAA` })).status).toBe(404);
    expect((await post(key, answer)).status).toBe(400);
    expect((await post(key, { id: 'x'.repeat(300), result: {} }, { session })).status).toBe(400);
    expect((await post(key, { id: 1, result: {}, error: {} }, { session })).status).toBe(400);
    expect(answers()).toHaveLength(1);
  });

  it('get no message of a key that may use none of their tools, which opens no session there, and whose answers get a 400', async () => {
    play(() => undefined);
    await added();
    const key = await gateway.guarded({ allowed_mcp_tools: ['another/*'] });
    const before = hostile.server.received.length;
    const session = await opened(key);
    expect(hostile.server.received.slice(before).filter(({ headers }) => headers['mcp-session-id'])).toEqual([]);
    expect((await post(key, { id: 'a', result: {} }, { session })).status).toBe(400);
  });

  it('hand on nothing behind the name of a state, which no filter reads, and the call answers 200', async () => {
    play((response, id) => {
      streamed(response, {
        id: 'a',
        method: 'elicitation/create',
        params: { message: 'x', requestState: 'jane@example.com' },
      });
      streamed(response, { id, result: { content: [], requestState: 'jane@example.com', inputRequests: {} } });
      response.end();
    });
    await added();
    const key = await gateway.guarded({ ...all, content_filter_builtins: [{ slug: 'email', action: 'redact' }] });
    const { text } = await called(key, await opened(key));
    expect(text).toContain('[EMAIL]');
    expect(text).not.toContain('jane');
  });

  it('answer 429 to one stream more than a key may have, of which the server learns nothing, until another one has ended', async () => {
    play(() => undefined);
    await added();
    const [key, other] = [await gateway.guarded(all), await gateway.guarded(all)];
    const [session, session2] = [await opened(key), await opened(other)];
    const ending = new AbortController();
    const listen = (listener: IssuedCredential, id: string, signal?: AbortSignal): Promise<Response> =>
      fetch(`${app.origin}/api/v1/mcp/docs`, {
        headers: {
          authorization: `Bearer ${listener.plaintext}`,
          accept: 'text/event-stream',
          'mcp-session-id': id,
        },
        ...(signal && { signal }),
      });
    const streams = await Promise.all(
      Array.from({ length: 16 }, (_, index) => listen(key, session, index === 0 ? ending.signal : undefined)),
    );
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
    const asked = (): number => hostile.server.received.filter(({ method }) => method === 'GET').length;
    const before = asked();
    const refused = await listen(key, session);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await refused.json()).toMatchObject({
      id: null,
      error: { code: -32000, data: { reason: 'too_many_open_inference_requests', retry_after_seconds: 10 } },
    });
    expect(asked()).toBe(before);
    expect((await listen(other, session2)).status).toBe(200);
    ending.abort();
    await until(async () => (await listen(key, session)).status === 200);
    expect((await listen(key, session)).status).toBe(429);
  });

  describe('that have clients open addresses', () => {
    const address = (fields: object = {}): object => ({
      mode: 'url',
      elicitationId: 'a',
      url: 'https://sign-in.example.com/?of=jane@example.com',
      message: 'Sign in, jane@example.com',
      ...fields,
    });

    const refused = async (elicitations: unknown, capabilities: object, settings: object = {}) => {
      play(
        (response, id) =>
          void response.writeHead(200, { 'content-type': 'application/json' }).end(
            JSON.stringify({
              jsonrpc: '2.0',
              id,
              error: { code: -32042, message: 'Sign in first', data: { elicitations, token: 'sk-leak' } },
            }),
          ),
      );
      await added();
      const key = await gateway.guarded({ ...all, ...settings });
      return (await called(key, await opened(key, '/docs', capabilities))).body.error;
    };

    const opening = { elicitation: { url: {} } };

    it('answer 200 with an error that has them, and nothing else of its data', async () => {
      const error = await refused([address({ secret: 'sk-leak' })], opening);
      expect(error).toEqual({ code: -32042, message: 'Sign in first', data: { elicitations: [address()] } });
    });

    it('answer 200 with them without what filters take out', async () => {
      const settings = { content_filter_builtins: [{ slug: 'email', action: 'redact' }] };
      const error = await refused([address()], opening, settings);
      const written = { url: 'https://sign-in.example.com/?of=[EMAIL]', message: 'Sign in, [EMAIL]' };
      expect(error).toMatchObject({ data: { elicitations: [address(written)] } });
    });

    it('answer 200 with 10 of them at most, whose messages have an end', async () => {
      const error = await refused(Array(11).fill(address({ message: 'x'.repeat(1_000) })), opening);
      const short = address({ message: 'x'.repeat(500) });
      expect(error).toMatchObject({ data: { elicitations: Array(10).fill(short) } });
    });

    it.each<[what: string, elicitations: unknown, capabilities: object]>([
      ['to a client that opens none', [address()], { elicitation: { form: {} } }],
      ['that are none of the web', [address({ url: 'javascript:alert(1)' }), address({ url: 'none' })], opening],
      ['that are long', [address({ url: `https://example.com/${'x'.repeat(2_100)}` })], opening],
      ['without a name', [address({ elicitationId: undefined }), address({ elicitationId: 'x'.repeat(300) })], opening],
      ['of another form', [address({ mode: 'form' }), address({ message: {} }), null], opening],
      ['that are no list', { a: address() }, opening],
    ])('answer 200 with the error alone %s', async (_, elicitations, capabilities) => {
      expect(await refused(elicitations, capabilities)).toEqual({ code: -32042, message: 'Sign in first' });
    });
  });

  it('keep no call of a client that answers nothing while it waits, nor its answers to others, which get a 202', async () => {
    const waiting: ServerResponse[] = [];
    play((response) => {
      waiting.push(response);
      streamed(response, { id: waiting.length, method: 'elicitation/create', params: { message: 'x' } });
    });
    await added({ timeout_ms: 30_000 });
    const key = await gateway.guarded(all);
    const session = await opened(key);
    const calls = Array.from({ length: 140 }, () => called(key, session));
    await until(() => Promise.resolve(waiting.length >= 128));
    // As many calls wait as may be under way, and an answer still gets through.
    expect((await post(key, { id: 1, result: { action: 'decline' } }, { session })).status).toBe(202);
    for (const response of waiting) response.destroy();
    await until(() => Promise.resolve(waiting.length >= 140));
    for (const response of waiting) response.destroy();
    await Promise.all(calls);
  });
});

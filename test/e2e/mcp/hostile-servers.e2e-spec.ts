import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { filledBefore } from '../../support/application/filled-before.js';
import { ProviderServer, type ReceivedRequest } from '../../support/network/provider-server.js';
import { MCP_SECRET, newMcpServer } from '../../support/resources/mcp-servers.js';
import { keepAlive, pour } from './endless-answers.js';
import { mcpGateway } from './mcp-gateway.js';

const REFUSED = -32000;
const JSON_HEAD = { 'content-type': 'application/json' };
const TOOL = { name: 'tool', description: 'A tool', inputSchema: { type: 'object' } };

interface Message {
  readonly id?: number;
  readonly method: string;
}

describe('MCP servers that do not answer as they should', () => {
  const gateway = mcpGateway();
  const { app, organization, send } = gateway;
  const hostile = filledBefore(beforeAll, async () => ({ server: await ProviderServer.start() }));
  afterAll(() => hostile.server.stop());

  const say = (response: ServerResponse, id: unknown, result: object): void =>
    void response.writeHead(200, JSON_HEAD).end(JSON.stringify({ jsonrpc: '2.0', id, result }));

  /** Answers as a server of the newest revision, but for calls of tools. */
  const play = (called: (response: ServerResponse, id: number, request: ReceivedRequest) => void): void =>
    hostile.server.answerWith((response, request) => {
      const { id, method } = request.body as Message;
      if (method === 'server/discover') say(response, id, { supportedVersions: ['2026-07-28'], capabilities: {} });
      else if (method === 'tools/list') say(response, id, { tools: [TOOL] });
      else called(response, id!, request);
    });

  const added = (fields: object = {}): Promise<string> =>
    gateway.added('docs', hostile.server.baseUrl, { timeout_ms: 2_000, price_per_call: 0.5, ...fields });

  const NESTED = `${'['.repeat(100)}${']'.repeat(100)}`;

  it.each<[fault: string, called: (response: ServerResponse, id: number) => void, reason: string, message: string]>([
    [
      'answers another id',
      (response, id) => say(response, id + 1, {}),
      'mcp_server_failed',
      'did not answer the request',
    ],
    [
      'answers no JSON',
      (response) => void response.writeHead(200, JSON_HEAD).end('{"a'),
      'mcp_server_failed',
      'JSON-RPC',
    ],
    [
      'nests without bound',
      (response, id) =>
        void response.writeHead(200, JSON_HEAD).end(`{"jsonrpc":"2.0","id":${id},"result":{"a":${NESTED}}}`),
      'mcp_server_failed',
      'JSON-RPC',
    ],
    [
      'has values without bound',
      (response, id) =>
        void response
          .writeHead(200, JSON_HEAD)
          .end(`{"jsonrpc":"2.0","id":${id},"result":{"a":[${'1,'.repeat(300_000)}1]}}`),
      'mcp_server_failed',
      'JSON-RPC',
    ],
    [
      'redirects',
      (response) => void response.writeHead(307, { location: 'https://other.example.com' }).end(),
      'mcp_server_failed',
      'redirects',
    ],
    ['answers 500', (response) => void response.writeHead(500).end('no'), 'mcp_server_failed', 'answered 500'],
    [
      'does not accept its credential',
      (response) => void response.writeHead(401).end(),
      'mcp_server_failed',
      'did not accept its credential',
    ],
    ['breaks off', (response) => void response.destroy(), 'mcp_server_failed', 'did not answer'],
    ['never answers', () => undefined, 'mcp_server_timed_out', 'in time'],
    [
      'streams without an end',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        keepAlive(response);
      },
      'mcp_server_timed_out',
      'in time',
    ],
    [
      'sends more than there may be',
      (response) => {
        response.writeHead(200, JSON_HEAD);
        pour(response);
      },
      'mcp_server_failed',
      'too large',
    ],
  ])('answer 200 with an error where one %s', async (_, called, reason, message) => {
    play(called);
    await added();
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'] });
    const { body } = await send(key, 'tools/call', { name: 'docs__tool' });
    expect(body).toMatchObject({ id: 1, error: { code: REFUSED, data: { reason } } });
    expect(body.error!.message).toContain(message);
    const charged = reason === 'mcp_server_timed_out' ? '0.5' : '0';
    expect(await gateway.records(key, 1)).toMatchObject([{ cost_usd: charged, details: { refusal: reason } }]);
    expect(JSON.stringify([body, app.logLines])).not.toContain(MCP_SECRET);
  });

  it('are shown no credential of the client, and hand on neither ids nor data of errors', async () => {
    play(
      (response, id) =>
        void response
          .writeHead(400, JSON_HEAD)
          .end(
            JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602, message: 'Bad', data: { token: 'sk-leak' } } }),
          ),
    );
    await added();
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'] });
    const { body } = await send(key, 'tools/call', { name: 'docs__tool' });
    expect(body.error).toEqual({ code: -32602, message: 'Bad' });
    const asked = JSON.stringify(hostile.server.received);
    expect(asked).not.toContain(key.plaintext);
    expect(hostile.server.received.at(-1)!.headers).toMatchObject({
      authorization: `Bearer ${MCP_SECRET}`,
      'mcp-method': 'tools/call',
      'mcp-name': 'tool',
    });
  });

  it('answer 200 with the tools that are known where one does not list them any more', async () => {
    play((response, id) => say(response, id, { content: [] }));
    const id = await added();
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'] });
    hostile.server.answerWith((response) => void response.writeHead(503).end());
    const tested = await app.api.post(`/mcp-servers/${id}/test`, { key: organization.managementKey });
    expect(tested.body).toMatchObject({ data: { succeeded: false, failure: 'the server answered 503' } });
    expect((await send(key, 'tools/list')).body.result).toMatchObject({ tools: [{ name: 'docs__tool' }] });
  });

  it('answer 200 where one does not take the newest revision at first, but says that it has it', async () => {
    let asked = 0;
    hostile.server.answerWith((response, { body }) => {
      const { id, method } = body as Message;
      asked += 1;
      const error = { code: -32022, message: 'no', data: { supported: ['2026-07-28'], requested: '2026-07-28' } };
      if (asked === 1) response.writeHead(400, JSON_HEAD).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      else say(response, id, method === 'server/discover' ? { supportedVersions: ['2026-07-28'] } : { tools: [TOOL] });
    });
    await added();
    const methods = hostile.server.received.map(({ body }) => (body as Message).method);
    expect(methods.slice(0, 3)).toEqual(['server/discover', 'server/discover', 'tools/list']);
  });

  it('answer 200 with the same tool to a list and a call where one is called as another one is cut to', async () => {
    const digest = createHash('sha256').update('docs__a.b').digest('hex').slice(0, 8);
    const [dotted, twin] = ['a.b', `a_b_${digest}`];
    hostile.server.answerWith((response, { body }) => {
      const { id, method, params } = body as Message & { readonly params: { readonly name: string } };
      const tools = [dotted, twin].map((name) => ({ ...TOOL, name, description: name }));
      if (method === 'server/discover') say(response, id, { supportedVersions: ['2026-07-28'], capabilities: {} });
      else if (method === 'tools/list') say(response, id, { tools });
      else say(response, id, { content: [{ type: 'text', text: params.name }] });
    });
    await added();
    for (const [allowed, name] of [
      ['docs/*', dotted],
      [`docs/${twin}`, twin],
    ] as const) {
      const key = await gateway.guarded({ allowed_mcp_tools: [allowed] });
      const listed = await send(key, 'tools/list');
      expect(listed.body.result!['tools']).toMatchObject([{ name: `docs__${twin}`, description: name }]);
      const called = await send(key, 'tools/call', { name: `docs__${twin}` });
      expect(called.body.result).toMatchObject({ content: [{ text: name }] });
    }
  });

  it.each([400, 404])(
    'answer 200 in another session where one has forgotten the first, and says so with a %i',
    async (status) => {
      let [sessions, current] = [0, ''];
      hostile.server.answerWith((response, { body = {}, headers }) => {
        const { id, method } = body as Message;
        const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, content: [], tools: [TOOL] };
        if (method === 'server/discover') response.writeHead(404).end();
        else if (method === 'initialize') {
          sessions += 1;
          current = `session-${sessions}`;
          const text = JSON.stringify({ jsonrpc: '2.0', id, result });
          response.writeHead(200, { ...JSON_HEAD, 'mcp-session-id': current }).end(text);
        } else if (headers['mcp-session-id'] === current) say(response, id, result);
        else {
          const error = { code: -32000, message: 'Bad Request: No valid session ID provided' };
          response.writeHead(status, JSON_HEAD).end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
        }
      });
      await added();
      const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'] });
      const call = async () => (await send(key, 'tools/call', { name: 'docs__tool' })).body;
      expect((await call()).result).toBeDefined();
      current = 'none any more';
      expect((await call()).result).toBeDefined();
    },
  );

  it('answer a call (200) with their own error, once, where that comes with a 400', async () => {
    let calls = 0;
    hostile.server.answerWith((response, { body = {} }) => {
      const { id, method } = body as Message;
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, tools: [TOOL] };
      if (method === 'server/discover') response.writeHead(404).end();
      else if (method === 'initialize') {
        const text = JSON.stringify({ jsonrpc: '2.0', id, result });
        response.writeHead(200, { ...JSON_HEAD, 'mcp-session-id': 'session-1' }).end(text);
      } else if (method === 'tools/call') {
        calls += 1;
        const error = { code: -32602, message: 'The ticket was closed meanwhile' };
        response.writeHead(400, JSON_HEAD).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      } else say(response, id, result);
    });
    await added();
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'] });
    const { body } = await send(key, 'tools/call', { name: 'docs__tool' });
    expect([calls, body.error]).toMatchObject([1, { code: -32602, message: 'The ticket was closed meanwhile' }]);
  });

  it('give no tools that are none: without a name of the usual form, without a schema, with wrong marks for headers, or too large', async () => {
    const marked = (name: string, ...marks: readonly (readonly [mark: unknown, type?: string])[]): object => {
      const arguments_ = marks.map(([mark, type], index) => [`argument${index}`, { type, 'x-mcp-header': mark }]);
      return { ...TOOL, name, inputSchema: { type: 'object', properties: Object.fromEntries(arguments_) as object } };
    };
    const tools = [
      TOOL,
      { ...TOOL, name: 'tool', description: 'Another one of the name' },
      { ...TOOL, name: 'a b' },
      { ...TOOL, name: '__proto__\u0000' },
      { name: 'schemaless' },
      { ...TOOL, name: 'large', description: 'x'.repeat(70_000) },
      'tool',
      null,
      marked('right', ['Region', 'string'], ['Priority', 'integer'], ['Verbose', 'boolean']),
      marked('empty', ['', 'string']),
      marked('spaced', ['My Region', 'string']),
      marked('numbered', [1, 'string']),
      marked('untyped', ['Region']),
      marked('whole', ['Region', 'object']),
      marked('twice', ['Region', 'string'], ['region', 'string']),
    ];
    hostile.server.answerWith((response, { body }) => {
      const { id, method } = body as Message;
      say(response, id, method === 'server/discover' ? { supportedVersions: ['2026-07-28'] } : { tools });
    });
    const id = await newMcpServer(app, organization, { name: 'docs', url: hostile.server.baseUrl });
    const tested = await app.api.post(`/mcp-servers/${id}/test`, { key: organization.managementKey });
    expect(tested.body).toMatchObject({ data: { succeeded: true, tools: 2, unusable_tools: 13 } });
  });

  describe('with filters of results', () => {
    const PICTURE = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1').toString('base64');
    const HIDDEN = Buffer.from('Write to jane@example.com today.').toString('base64');
    const question = { type: 'text', text: 'Is it jane@example.com?' };
    const image = (data: string): object => ({ type: 'image', data, mimeType: 'image/png' });
    const filtered = { content_filter_builtins: [{ slug: 'email', action: 'redact' }] };

    /** What a server asks for: a form, and that a model answers messages, one with a part in the result of a tool. */
    const asking = (part: object): object => ({
      resultType: 'input_required',
      requestState: 'state',
      inputRequests: {
        form: { method: 'elicitation/create', params: { message: question.text, requestedSchema: { type: 'object' } } },
        sampled: {
          method: 'sampling/createMessage',
          params: {
            maxTokens: 10,
            messages: [
              { role: 'user', content: question },
              {
                role: 'user',
                content: [question, { type: 'tool_result', toolUseId: '1', content: [question, part] }],
              },
            ],
          },
        },
      },
    });

    const called = async (result: object, settings: object = filtered) => {
      play((response, id) => say(response, id, result));
      await added();
      const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'], ...settings });
      const capabilities = { elicitation: {}, sampling: { tools: {} } };
      const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
      return { key, ...(await send(key, 'tools/call', { name: 'docs__tool', _meta: meta })) };
    };

    it('answer 200 with what they ask the client without what is taken out, and with pictures as they are', async () => {
      const { text, body, key } = await called(asking(image(PICTURE)));
      expect(text).not.toContain('jane');
      const taken = { ...question, text: 'Is it [EMAIL]?' };
      expect(body.result).toMatchObject({
        resultType: 'input_required',
        inputRequests: {
          form: { method: 'elicitation/create', params: { message: taken.text } },
          sampled: {
            method: 'sampling/createMessage',
            params: {
              maxTokens: 10,
              messages: [{ content: taken }, { content: [taken, { content: [taken, image(PICTURE)] }] }],
            },
          },
        },
      });
      expect(await gateway.records(key, 1)).toMatchObject([
        { details: { filters: [{ action: 'redact', count: 4 }] }, cost_usd: '0' },
      ]);
    });

    it.each<[where: string, result: object]>([
      ['the result of a tool, of which they ask the client', asking(image(HIDDEN))],
      ['a resource there', asking({ type: 'resource', resource: { uri: 'note://1', blob: HIDDEN } })],
      ['a result', { content: [image(HIDDEN)] }],
      ['bytes beside a picture of a result', { content: [{ ...image(PICTURE), blob: HIDDEN }] }],
    ])('answer 200 with an error where a picture that may be a text is in %s', async (_, result) => {
      const { body, text } = await called(result);
      expect(body.error).toMatchObject({ code: REFUSED, data: { reason: 'input_not_scannable' } });
      expect(text).not.toContain(HIDDEN);
    });

    it('answer 200 with the same where none applies', async () => {
      const { body } = await called(asking(image(HIDDEN)), {});
      expect(body.result).toMatchObject({ ...asking(image(HIDDEN)), requestState: expect.any(String) as string });
    });

    it.each(['complete', undefined, 'INPUT_REQUIRED'])(
      'answer 200 without a state and requests, which no client is asked for, in a result of the type %s',
      async (resultType) => {
        const smuggled = { requestState: question.text, inputRequests: { a: { method: 'x', params: question } } };
        const { body, text } = await called({ resultType, content: [{ type: 'text', text: 'done' }], ...smuggled });
        const { _meta: _, ...result } = body.result!;
        expect(result).toEqual({ resultType: 'complete', content: [{ type: 'text', text: 'done' }] });
        expect(text).not.toContain('jane');
      },
    );
  });

  it('end what they do where the client of a call leaves, which is recorded as a 499 and charged', async () => {
    const closed = new Promise<void>((resolve) => {
      play((response) => void response.once('close', () => resolve()));
    });
    await added({ timeout_ms: 60_000 });
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'] });
    const leaving = new AbortController();
    const { modernMessage } = await import('./mcp-gateway.js');
    const { headers, json } = modernMessage('tools/call', { name: 'docs__tool' });
    const asking = fetch(`${app.origin}/api/v1/mcp`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${key.plaintext}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
      signal: leaving.signal,
    }).catch(() => undefined);
    while (hostile.server.received.every(({ body }) => (body as Message).method !== 'tools/call')) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    leaving.abort();
    await Promise.all([asking, closed]);
    expect(await gateway.records(key, 1)).toMatchObject([
      { status: 499, cost_usd: '0.5', details: { cancelled: true } },
    ]);
  });
});

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedReplica } from '../../support/application/shared-application.js';
import { until } from '../../support/time/until.js';
import { type AskingServer, startAskingServer, startServerOfBothKinds } from './asking-server.js';
import { type CallResult, mcpGateway } from './mcp-gateway.js';
import { startModernServer } from './real-servers.js';

const ALL: ClientCapabilities = { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } };

/** A client of the official library that can be asked, and what it was asked and told. */
interface AskedClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly asked: unknown[];
  readonly told: unknown[];
  readonly call: (name: string, values?: Record<string, unknown>) => Promise<CallResult>;
}

interface ConnectOptions {
  readonly path?: string;
  /** Of the replicas that get messages, in turn. */
  readonly origins?: readonly string[];
  /** Whose stream is waited for. */
  readonly server?: AskingServer;
}

describe('sessions of clients at MCP servers of their revision', () => {
  const gateway = mcpGateway();
  const { app } = gateway;
  const replica = sharedReplica(app, { ALLOW_PRIVATE_DESTINATIONS: 'true' });
  const asking = filledBefore(beforeAll, async () => ({
    server: await startAskingServer(),
    both: await startServerOfBothKinds(),
    stateless: await startModernServer('stateless'),
  }));
  afterAll(() => Promise.all(Object.values(asking).map((server) => server.stop())));
  const clients: Client[] = [];
  beforeEach(() => void (asking.server.announced.length = 0));
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });

  const connected = async (
    key: IssuedCredential,
    capabilities: ClientCapabilities = ALL,
    { path = '/docs', origins = [app.origin], server = asking.server }: ConnectOptions = {},
  ): Promise<AskedClient> => {
    const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities });
    clients.push(client);
    const [asked, told]: unknown[][] = [[], []];
    if (capabilities.sampling) {
      client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
        asked!.push(params.messages);
        return { model: 'own', role: 'assistant', content: { type: 'text', text: 'sampled, tell jane@example.com' } };
      });
    }
    if (capabilities.elicitation) {
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked!.push(params.message);
        return { action: 'accept', content: { color: 'blue' } };
      });
    }
    if (capabilities.roots) {
      client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home/ada' }] }));
    }
    for (const schema of [
      LoggingMessageNotificationSchema,
      ResourceListChangedNotificationSchema,
      ResourceUpdatedNotificationSchema,
      ToolListChangedNotificationSchema,
    ]) {
      client.setNotificationHandler(schema as never, (notification: unknown) => void told!.push(notification));
    }
    let turn = 0;
    const transport = new StreamableHTTPClientTransport(new URL(`${app.origin}/api/v1/mcp${path}`), {
      requestInit: { headers: { authorization: `Bearer ${key.plaintext}` } },
      fetch: (url, init) => {
        const { pathname } = new URL(url);
        const origin = origins[turn % origins.length]!;
        turn += 1;
        return fetch(`${origin}${pathname}`, init);
      },
    });
    const { streams } = server;
    await client.connect(transport);
    // The library opens the stream in the background, and without it servers ask no one.
    const hasStream = client.getServerCapabilities()?.logging !== undefined;
    await until(() => Promise.resolve(!hasStream || server.streams > streams));
    return {
      client,
      transport,
      asked: asked!,
      told: told!,
      call: (name, values = {}) => client.callTool({ name, arguments: values }) as Promise<CallResult>,
    };
  };

  const all = { allowed_mcp_tools: ['docs/*'] };

  it('tell the server what the client can be asked for, and answer 200 with what the client answers', async () => {
    await gateway.added('docs', asking.server.url, { price_per_call: 0.5 });
    const key = await gateway.guarded(all);
    const { call, asked } = await connected(key);
    expect(asking.server.announced.at(-1)).toEqual(ALL);
    expect(await call('ask_sampling', { text: 'Say it' })).toMatchObject({
      content: [{ text: expect.stringContaining('sampled') as string }],
    });
    expect(await call('ask_elicitation', { text: 'Which color?' })).toMatchObject({
      content: [{ text: JSON.stringify({ action: 'accept', content: { color: 'blue' } }) }],
    });
    expect(await call('ask_roots')).toMatchObject({ content: [{ text: '[{"uri":"file:///home/ada"}]' }] });
    expect(asked).toEqual([[{ role: 'user', content: { type: 'text', text: 'Say it' } }], 'Which color?']);
    expect((await gateway.records(key, 3)).map(({ status, cost_usd: cost }) => [status, cost])).toEqual([
      [200, '0.5'],
      [200, '0.5'],
      [200, '0.5'],
    ]);
  });

  it('hand on what the server asks and tells on the stream of the session, at replicas in turn', async () => {
    await gateway.added('docs', asking.server.url);
    const key = await gateway.guarded(all);
    const { client, call, told } = await connected(key, ALL, { origins: [app.origin, replica.origin] });
    expect(client.getServerCapabilities()).toMatchObject({
      logging: {},
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
    });
    expect(await call('later_sampling', { text: 'Say it' })).toMatchObject({
      content: [{ text: expect.stringContaining('sampled') as string }],
    });
    expect(await call('later_elicitation', { text: 'Which?' })).toMatchObject({
      content: [{ text: expect.stringContaining('blue') as string }],
    });
    await client.setLoggingLevel('error');
    await call('log', { text: 'It is late' });
    await client.subscribeResource({ uri: 'note://1' });
    await call('change');
    await until(() => Promise.resolve(told.length >= 5));
    expect(told).toEqual(
      expect.arrayContaining([
        { method: 'notifications/message', params: { level: 'error', data: 'It is late' } },
        { method: 'notifications/message', params: { level: 'error', logger: 'later', data: 'It is late' } },
        { method: 'notifications/resources/updated', params: { uri: 'note://1' } },
        expect.objectContaining({ method: 'notifications/resources/list_changed' }),
        expect.objectContaining({ method: 'notifications/tools/list_changed' }),
      ]),
    );
    expect(JSON.stringify(told)).not.toContain('too low');
  });

  describe.each([
    ['on the path of all servers', 'legacy', ''],
    ['to a server of another revision', 'modern', '/docs'],
  ] as const)('%s', (_, era, path) => {
    it('announce nothing to a server, and nothing of it to the client', async () => {
      const { url, headers } = { legacy: asking.server, modern: gateway.real.modern }[era];
      await gateway.added('docs', url);
      headers.length = 0;
      const key = await gateway.guarded(all);
      const { client, call, asked } = await connected(key, ALL, { path });
      expect(client.getServerCapabilities()).not.toHaveProperty('logging');
      if (era === 'legacy') {
        expect(await call('docs__ask_elicitation', { text: 'Which?' })).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('-32601') as string }],
        });
        expect(asking.server.announced.filter((announced) => Object.keys(announced).length > 0)).toEqual([]);
      } else {
        await expect(call('ask')).rejects.toThrow();
        expect(new Set(headers.map((sent) => sent['mcp-protocol-version']))).toEqual(new Set(['2026-07-28']));
      }
      expect(asked).toEqual([]);
    });
  });

  describe('to a server of both kinds of revisions', () => {
    const question = { text: 'Which color?' };

    it('have in the revision of the client all that the server has there, and answer 200', async () => {
      const id = await gateway.added('docs', asking.both.url);
      const key = await gateway.guarded(all);
      const { client, call, asked, told } = await connected(key, ALL, {
        server: asking.both,
        origins: [app.origin, replica.origin],
      });
      expect(asking.both.announced.at(-1)).toEqual(ALL);
      expect(client.getServerCapabilities()).toHaveProperty('logging');
      expect(await call('ask_elicitation', question)).toMatchObject({
        content: [{ text: JSON.stringify({ action: 'accept', content: { color: 'blue' } }) }],
      });
      expect(asked).toEqual([question.text]);
      await client.setLoggingLevel('error');
      await call('log', { text: 'It is late' });
      const logged = { method: 'notifications/message', params: { level: 'error', data: 'It is late' } };
      await until(() => Promise.resolve(told.length > 0));
      expect(told).toContainEqual(logged);
      const { body } = await app.api.get(`/mcp-servers/${id}`, { key: gateway.organization.managementKey });
      expect(body).toMatchObject({
        data: { protocol_version: '2026-07-28', revisions: ['2026-07-28', '2025-11-25'] },
      });
    });

    it('are in an older revision too where the client has that, and answer 200', async () => {
      await gateway.added('docs', asking.both.url);
      const key = await gateway.guarded(all);
      asking.both.headers.length = 0;
      const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const { body } = await app.api.post('/mcp/docs', {
        key: key.plaintext,
        json: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
        headers: { accept: 'application/json, text/event-stream' },
      });
      expect(body).toMatchObject({ result: { protocolVersion: '2025-03-26', capabilities: { logging: {} } } });
    });

    it('leave clients of the newest revision what that has, and answer 200', async () => {
      await gateway.added('docs', asking.both.url);
      const key = await gateway.guarded(all);
      asking.both.headers.length = 0;
      const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
      const params = { name: 'ask_elicitation', arguments: question, _meta: meta };
      const { body } = await gateway.send(key, 'tools/call', params, '/docs');
      expect(body.result).toMatchObject({ resultType: 'input_required' });
      expect(asking.both.headers.map((sent) => sent['mcp-protocol-version'])).toEqual(['2026-07-28']);
    });

    it('answer 200 to calls where the server keeps no sessions', async () => {
      await gateway.added('docs', asking.stateless.url);
      const { call } = await connected(await gateway.guarded(all));
      expect(await call('echo', { text: 'hello' })).toMatchObject({ content: [{ text: 'You said: hello' }] });
      expect(await call('ask')).toMatchObject({ isError: true });
    });
  });

  it('announce nothing of a client of the newest revision to a server of another one, which gets an error where it asks', async () => {
    await gateway.added('docs', asking.server.url);
    const key = await gateway.guarded(all);
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {}, roots: {} } };
    const params = { name: 'ask_elicitation', arguments: { text: 'Which?' }, _meta: meta };
    const { body } = await gateway.send(key, 'tools/call', params, '/docs');
    expect(body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('-32601') as string }],
    });
    expect(asking.server.announced.filter((announced) => Object.keys(announced).length > 0)).toEqual([]);
  });

  it('announce what the client has alone, and answer 200 with an error to what the server asks besides', async () => {
    await gateway.added('docs', asking.server.url);
    const { call } = await connected(await gateway.guarded(all), { roots: {} });
    expect(asking.server.announced.at(-1)).toEqual({ roots: {} });
    const refused = { isError: true, content: [{ text: expect.stringContaining('-32601') as string }] };
    expect(await call('ask_sampling', { text: 'Say it' })).toMatchObject(refused);
  });

  describe('with filters', () => {
    const email = (action: string, place: string): object => ({
      ...all,
      content_filter_builtins: [{ slug: 'email', action, applies_to: [place] }],
    });
    const question = { text: 'Is it joe@example.com?' };

    it('ask the client without what is taken out of results, and answer 200', async () => {
      await gateway.added('docs', asking.server.url);
      const { call, asked } = await connected(await gateway.guarded(email('redact', 'tool_result')));
      await call('ask_elicitation', question);
      await call('ask_sampling', question);
      await call('later_elicitation', question);
      expect(asked).toEqual([
        'Is it [EMAIL]?',
        [{ role: 'user', content: { type: 'text', text: 'Is it [EMAIL]?' } }],
        'Is it [EMAIL]?',
      ]);
    });

    it('ask the client nothing in which a filter of results blocks something, and tell it nothing, with a record of that', async () => {
      await gateway.added('docs', asking.server.url);
      const key = await gateway.guarded(email('block', 'tool_result'));
      const { call, asked, told } = await connected(key);
      const refused = { isError: true, content: [{ text: expect.stringContaining('not asked') as string }] };
      expect(await call('ask_elicitation', question)).toMatchObject(refused);
      expect(await call('later_sampling', question)).toMatchObject(refused);
      await call('log', question);
      expect([asked, JSON.stringify(told)]).toEqual([[], expect.not.stringContaining('joe')]);
      const [{ details }] = (await gateway.records(key, 3)) as [{ details: object }];
      expect(details).toMatchObject({ filters: [{ action: 'block' }] });
    });

    it('answer the server without what filters of calls take out', async () => {
      await gateway.added('docs', asking.server.url);
      const { call } = await connected(await gateway.guarded(email('redact', 'tool_call')));
      expect(await call('ask_sampling', { text: 'Say it' })).toMatchObject({
        content: [{ text: expect.stringContaining('sampled, tell [EMAIL]') as string }],
      });
    });

    it('answer 403 to an answer in which filters of calls block something, of which the server gets an error', async () => {
      await gateway.added('docs', asking.server.url);
      const key = await gateway.guarded(email('block', 'tool_call'));
      const { client, call } = await connected(key);
      const failures: string[] = [];
      client.onerror = ({ message }) => void failures.push(message);
      const { content, isError } = await call('ask_sampling', { text: 'Say it' });
      expect([isError, content[0]!.text]).toEqual([true, expect.stringContaining('was refused')]);
      expect(failures.join()).toContain('content_blocked');
      const records = await gateway.records(key, 2);
      expect(records.map(({ status }) => status).sort()).toEqual([200, 403]);
    });
  });

  describe('that are over', () => {
    it('answer 404 once the server has forgotten them, was changed, or the key may use no tool of it', async () => {
      const id = await gateway.added('docs', asking.server.url);
      const key = await gateway.guarded(all);
      const [first, second] = [await connected(key), await connected(key)];
      asking.server.forget();
      await expect(first.call('ask_roots')).rejects.toThrow('Session not found');
      const third = await connected(key);
      const { managementKey } = gateway.organization;
      await app.api.patch(`/mcp-servers/${id}`, { key: managementKey, json: { timeout_ms: 5_000 } });
      await expect(third.call('ask_roots')).rejects.toThrow('Session not found');
      await expect(second.call('ask_roots')).rejects.toThrow('Session not found');
    });

    it('answer 204 to a client that ends one, at its server too, and 404 from then on', async () => {
      await gateway.added('docs', asking.server.url);
      const key = await gateway.guarded(all);
      const { transport } = await connected(key);
      const before = asking.server.sessions.ended;
      const { sessionId } = transport;
      await transport.terminateSession();
      expect(asking.server.sessions.ended).toBe(before + 1);
      const again = { key: key.plaintext, headers: { 'mcp-session-id': sessionId! } };
      expect((await app.api.send('DELETE', '/mcp/docs', again)).status).toBe(404);
      const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      expect((await app.api.post('/mcp/docs', { ...again, json })).status).toBe(404);
      const call = { ...json, method: 'tools/call', params: { name: 'ask_roots' } };
      expect((await replica.api.post('/mcp/docs', { ...again, json: call })).status).toBe(404);
    });

    it('end their stream, which answers 200, when the key is disabled, and have none after it', async () => {
      await gateway.added('docs', asking.server.url);
      const key = await gateway.guarded(all);
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const { headers } = await app.api.post('/mcp/docs', {
        key: key.plaintext,
        json: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
        headers: { accept: 'application/json, text/event-stream' },
      });
      const stream = await fetch(`${app.origin}/api/v1/mcp/docs`, {
        headers: {
          authorization: `Bearer ${key.plaintext}`,
          accept: 'text/event-stream',
          'mcp-session-id': headers.get('mcp-session-id')!,
        },
      });
      expect(stream.status).toBe(200);
      const { managementKey } = gateway.organization;
      await app.api.patch(`/keys/${key.hash}`, { key: managementKey, json: { disabled: true } });
      expect(await stream.text()).not.toContain('data');
    });
  });

  it('end the call at the server where the client cancels it or leaves, which is recorded as a 499 and charged', async () => {
    await gateway.added('docs', asking.server.url, { price_per_call: 0.5 });
    const key = await gateway.guarded(all);
    const { client } = await connected(key);
    const leaving = new AbortController();
    const waiting = client.callTool({ name: 'wait' }, undefined, { signal: leaving.signal });
    await until(() => Promise.resolve(asking.server.waits.at(-1) === 'begun'));
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    await until(() => Promise.resolve(asking.server.waits.at(-1) === 'cancelled'));
    expect(await gateway.records(key, 1)).toMatchObject([{ status: 499, cost_usd: '0.5' }]);
  });

  it('hold what a call reserves for no longer than the time of the server, however long the client takes to answer, and record a 504', async () => {
    await gateway.added('docs', asking.server.url, { price_per_call: 0.5, timeout_ms: 1_000 });
    const key = await gateway.guarded({ ...all, limit_usd: 1, reset_interval: 'daily' });
    const { client, call } = await connected(key);
    client.setRequestHandler(ElicitRequestSchema, () => new Promise<never>(() => undefined));
    await expect(call('ask_elicitation', { text: 'Which?' })).rejects.toThrow('did not answer in time');
    expect(await gateway.records(key, 1)).toMatchObject([
      { status: 504, cost_usd: '0.5', details: { refusal: 'mcp_server_timed_out' } },
    ]);
    expect(await app.rows('SELECT 1 FROM spend_reservations WHERE key_id = $1', [key.id])).toEqual([]);
  });
});

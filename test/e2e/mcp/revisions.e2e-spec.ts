import type { ServerResponse } from 'node:http';
import { filledBefore } from '../../support/application/filled-before.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { newMcpServer } from '../../support/resources/mcp-servers.js';
import { until } from '../../support/time/until.js';
import { startAskingServer, startServerOfBothKinds } from './asking-server.js';
import { keepAlive, pour } from './endless-answers.js';
import { mcpGateway } from './mcp-gateway.js';

const JSON_HEAD = { 'content-type': 'application/json' };
const STREAM_HEAD = { 'content-type': 'text/event-stream', 'mcp-session-id': 'of-the-probe' };

interface Message {
  readonly id?: number;
  readonly method?: string;
}

describe('the revisions of MCP servers', () => {
  const gateway = mcpGateway();
  const { app, organization } = gateway;
  const servers = filledBefore(beforeAll, async () => ({
    both: await startServerOfBothKinds(),
    legacy: await startAskingServer(),
  }));
  const played = filledBefore(beforeAll, async () => ({ server: await ProviderServer.start() }));
  afterAll(() => Promise.all([played.server, ...Object.values(servers)].map((server) => server.stop())));

  const tested = async (id: string): Promise<object> => {
    const { body } = await app.api.post(`/mcp-servers/${id}/test`, { key: organization.managementKey });
    return body as object;
  };
  const shown = async (id: string): Promise<object> => {
    const { body } = await app.api.get(`/mcp-servers/${id}`, { key: organization.managementKey });
    return body as object;
  };

  /** Answers as a server of the newest revision, but to a handshake. */
  const play = (asked: (response: ServerResponse, id: number) => void): void =>
    played.server.answerWith((response, { method, body }) => {
      const message = (body ?? {}) as Message;
      const say = (result: object): void =>
        void response.writeHead(200, JSON_HEAD).end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
      if (method === 'DELETE') response.writeHead(204).end();
      else if (message.method === 'server/discover') say({ supportedVersions: ['2026-07-28'], capabilities: {} });
      else if (message.method === 'tools/list') say({ tools: [{ name: 'tool', inputSchema: { type: 'object' } }] });
      else asked(response, message.id!);
    });
  const handshakes = (): number =>
    played.server.received.filter(({ body }) => (body as Message | undefined)?.method === 'initialize').length;
  const added = (fields: object = {}): Promise<string> =>
    newMcpServer(app, organization, { name: 'docs', url: played.server.baseUrl, timeout_ms: 1_000, ...fields });

  it.each<[kind: string, revisions: readonly string[], url: () => string]>([
    ['2026-07-28 alone', ['2026-07-28'], () => gateway.real.modern.url],
    ['a handshake alone', ['2025-11-25'], () => servers.legacy.url],
    ['both kinds', ['2026-07-28', '2025-11-25'], () => servers.both.url],
  ])('are found where a server of %s is tested, which answers 200, and shown', async (_, revisions, url) => {
    const id = await newMcpServer(app, organization, { name: 'docs', url: url() });
    expect(await shown(id)).toMatchObject({ data: { protocol_version: null, revisions: [] } });
    const found = { protocol_version: revisions[0], revisions };
    expect(await tested(id)).toMatchObject({ data: { succeeded: true, ...found } });
    expect(await shown(id)).toMatchObject({ data: found });
  });

  it('are found without leaving a session behind', async () => {
    const { open, ended } = servers.both.sessions;
    const id = await newMcpServer(app, organization, { name: 'docs', url: servers.both.url });
    await tested(id);
    await until(() => Promise.resolve(servers.both.sessions.ended === ended + 1));
    expect(servers.both.sessions.open).toBe(open);
  });

  it('are found anew by each test, which answers 200, and stay as they were found where that fails', async () => {
    const agree = (response: ServerResponse, id: number): void =>
      void response
        .writeHead(200, JSON_HEAD)
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18', capabilities: {} } }));
    play((response) => void response.writeHead(400).end());
    const id = await added();
    expect(await tested(id)).toMatchObject({ data: { revisions: ['2026-07-28'] } });
    play(agree);
    const both = ['2026-07-28', '2025-06-18'];
    expect(await tested(id)).toMatchObject({ data: { revisions: both } });
    played.server.answerWith((response) => void response.writeHead(503).end());
    expect(await tested(id)).toMatchObject({ data: { succeeded: false, protocol_version: null, revisions: [] } });
    expect(await shown(id)).toMatchObject({ data: { protocol_version: '2026-07-28', revisions: both } });
    play((response) => void response.writeHead(400).end());
    await tested(id);
    expect(await shown(id)).toMatchObject({ data: { revisions: ['2026-07-28'] } });
    const moved = { key: organization.managementKey, json: { url: servers.both.url, secret: null } };
    expect(
      (await app.api.patch(`/mcp-servers/${id}`, { ...moved, json: { ...moved.json, authentication: 'none' } })).body,
    ).toMatchObject({ data: { protocol_version: null, revisions: [] } });
  });

  it('are not asked for by keys that use the server, which answers 200', async () => {
    play((response) => void response.writeHead(400).end());
    await gateway.added('docs', played.server.baseUrl);
    const key = await gateway.guarded({ allowed_mcp_tools: ['docs/*'] });
    const before = handshakes();
    for (const path of ['', '/docs']) expect((await gateway.send(key, 'tools/list', {}, path)).status).toBe(200);
    for (let count = 0; count < 2; count += 1)
      await gateway.connected('legacy', key, '/docs').then(({ close }) => close());
    expect([before, handshakes()]).toEqual([1, 1]);
  });

  it.each<[fault: string, asked: (response: ServerResponse, id: number) => void]>([
    ['never answers', () => undefined],
    ['answers no JSON', (response) => void response.writeHead(200, JSON_HEAD).end('<html>')],
    [
      'answers another id',
      (response, id) =>
        void response
          .writeHead(200, JSON_HEAD)
          .end(`{"jsonrpc":"2.0","id":${id + 1},"result":{"protocolVersion":"2025-11-25"}}`),
    ],
    [
      'answers with no revision',
      (response, id) =>
        void response.writeHead(200, JSON_HEAD).end(`{"jsonrpc":"2.0","id":${id},"result":{"protocolVersion":{}}}`),
    ],
    [
      'answers with the newest revision',
      (response, id) =>
        void response
          .writeHead(200, JSON_HEAD)
          .end(`{"jsonrpc":"2.0","id":${id},"result":{"protocolVersion":"2026-07-28"}}`),
    ],
    ['redirects', (response) => void response.writeHead(307, { location: 'https://other.example.com' }).end()],
    ['breaks off', (response) => void response.destroy()],
    ['does not accept its credential', (response) => void response.writeHead(401).end()],
    [
      'streams without an end',
      (response) => {
        response.writeHead(200, STREAM_HEAD);
        keepAlive(response);
      },
    ],
    [
      'sends more than there may be',
      (response) => {
        response.writeHead(200, JSON_HEAD);
        pour(response);
      },
    ],
  ])('are one less where a server %s to a handshake, and its test answers 200 in time', async (_, asked) => {
    play(asked);
    const id = await added();
    const started = performance.now();
    expect(await tested(id)).toMatchObject({
      data: { succeeded: true, protocol_version: '2026-07-28', revisions: ['2026-07-28'], tools: 1 },
    });
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(await shown(id)).toMatchObject({ data: { failure: null, revisions: ['2026-07-28'] } });
  });

  it('leave no session behind where a server opens one and says nothing more', async () => {
    play((response) => response.writeHead(200, STREAM_HEAD).flushHeaders());
    await tested(await added());
    const ended = (): boolean =>
      played.server.received.some(
        ({ method, headers }) => method === 'DELETE' && headers['mcp-session-id'] === 'of-the-probe',
      );
    await until(() => Promise.resolve(ended()));
  });
});

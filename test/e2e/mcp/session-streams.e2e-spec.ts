import http, { type ServerResponse } from 'node:http';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { until } from '../../support/time/until.js';
import { mcpGateway } from './mcp-gateway.js';

/** How many streams a key may have. */
const PER_KEY = 16;

/** How soon the stream at the server ends after that of the client, in milliseconds: well before it would say that it is alive. */
const SOON_MS = 5_000;

const JSON_HEAD = { 'content-type': 'application/json', 'mcp-session-id': 'of-the-server' };

/** How the server begins the stream of a session. */
type Begin = (response: ServerResponse) => void;

const STREAMING: Begin = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();

describe('streams of sessions whose client leaves without ending them', () => {
  const gateway = mcpGateway();
  const { app } = gateway;
  const played = filledBefore(beforeAll, async () => ({ server: await ProviderServer.start() }));
  afterAll(() => played.server.stop());
  const open = new Set<ServerResponse>();

  const play = (begin: Begin): void =>
    played.server.answerWith((response, { method, body }) => {
      const { id, method: asked } = (body ?? {}) as { id?: number; method?: string };
      const say = (result: object): void =>
        void response.writeHead(200, JSON_HEAD).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (method === 'GET') {
        open.add(response);
        response.once('close', () => open.delete(response));
        begin(response);
      } else if (asked === 'initialize') say({ protocolVersion: '2025-11-25', capabilities: { logging: {} } });
      else if (asked === 'tools/list') say({ tools: [{ name: 'tool', inputSchema: { type: 'object' } }] });
      else response.writeHead(asked === 'server/discover' ? 400 : 202).end();
    });

  /** A session of a new key. */
  const session = async (): Promise<Record<string, string>> => {
    await gateway.added('docs', played.server.baseUrl);
    const key: IssuedCredential = await gateway.guarded({ allowed_mcp_tools: ['docs/*'] });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const { headers } = await app.api.post('/mcp/docs', {
      key: key.plaintext,
      json: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      headers: { accept: 'application/json, text/event-stream' },
    });
    return {
      authorization: `Bearer ${key.plaintext}`,
      accept: 'text/event-stream',
      'mcp-session-id': headers.get('mcp-session-id')!,
    };
  };

  /** Asks for the stream of a session on a connection of its own. */
  const asked = (headers: Record<string, string>): http.ClientRequest => {
    const request = http.get(`${app.origin}/api/v1/mcp/docs`, { headers, agent: false });
    request.on('error', () => undefined);
    return request;
  };
  const statusOf = (request: http.ClientRequest): Promise<number | undefined> =>
    new Promise((resolve) => {
      request.once('response', (response) => {
        response.on('error', () => undefined).resume();
        resolve(response.statusCode);
      });
    });

  /** How long it takes until the server has no stream, in milliseconds. */
  const untilNoneIsOpen = async (): Promise<number> => {
    const started = performance.now();
    await until(() => Promise.resolve(open.size === 0));
    return performance.now() - started;
  };

  it.each<[how: string, leave: (request: http.ClientRequest) => void]>([
    ['closes its connection', (request) => void request.socket!.end()],
    ['breaks it', (request) => void request.socket!.resetAndDestroy()],
  ])(
    'answer 200 again, as many as a key may have, when one %s, and are over at the server at once',
    async (_, leave) => {
      play(STREAMING);
      const headers = await session();
      for (let turn = 0; turn < 2; turn += 1) {
        const requests = Array.from({ length: PER_KEY }, () => asked(headers));
        expect(new Set(await Promise.all(requests.map(statusOf)))).toEqual(new Set([200]));
        expect(open.size).toBe(PER_KEY);
        const further = asked(headers);
        expect(await statusOf(further)).toBe(429);
        further.destroy();
        requests.forEach(leave);
        expect(await untilNoneIsOpen()).toBeLessThan(SOON_MS);
      }
    },
  );

  it('are over at a server that has not begun them', async () => {
    play(() => undefined);
    const request = asked(await session());
    await until(() => Promise.resolve(open.size === 1));
    request.destroy();
    expect(await untilNoneIsOpen()).toBeLessThan(SOON_MS);
  });

  it('are over at a server that goes on to say things', async () => {
    play((response) => {
      STREAMING(response);
      const message = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'again' } };
      const timer = setInterval(() => response.write(`data: ${JSON.stringify(message)}\n\n`), 5);
      response.once('close', () => clearInterval(timer));
    });
    const request = asked(await session());
    expect(await statusOf(request)).toBe(200);
    request.destroy();
    expect(await untilNoneIsOpen()).toBeLessThan(SOON_MS);
  });
});

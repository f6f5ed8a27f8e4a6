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
import { startAskingServer } from './asking-server.js';
import { type CallResult, mcpGateway } from './mcp-gateway.js';

const ALL: ClientCapabilities = { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } };

/** A client of the official library that can be asked, and what it was asked and told. */
interface AskedClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly asked: unknown[];
  readonly told: unknown[];
  readonly call: (name: string, values?: Record<string, unknown>) => Promise<CallResult>;
}

describe('sessions of clients at MCP servers of their revision', () => {
  const gateway = mcpGateway();
  const { app } = gateway;
  const replica = sharedReplica(app, { ALLOW_PRIVATE_DESTINATIONS: 'true' });
  const asking = filledBefore(beforeAll, async () => ({ server: await startAskingServer() }));
  afterAll(() => asking.server.stop());
  const clients: Client[] = [];
  beforeEach(() => void (asking.server.announced.length = 0));
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });

  /** @param origins of the replicas that get messages, in turn */
  const connected = async (
    key: IssuedCredential,
    capabilities: ClientCapabilities = ALL,
    { path = '/docs', origins = [app.origin] }: { path?: string; origins?: readonly string[] } = {},
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
    await client.connect(transport);
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
    await until(() => Promise.resolve(told.length >= 6));
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
});

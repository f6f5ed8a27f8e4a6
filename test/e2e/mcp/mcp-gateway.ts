import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { filledBefore } from '../../support/application/filled-before.js';
import type { Answer } from '../../support/network/api-client.js';
import { approveAll, newMcpServer } from '../../support/resources/mcp-servers.js';
import { until } from '../../support/time/until.js';
import { type RealServer, startLegacyServer, startModernServer } from './real-servers.js';

/** A result of a call, as far as tests look at it. */
export interface CallResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly isError?: boolean;
}

/** What is alike in the clients of both libraries. */
export interface OfficialClient {
  readonly getServerCapabilities: () => object | undefined;
  readonly listPrompts: () => Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  readonly getPrompt: (asked: { name: string; arguments?: Record<string, string> }) => Promise<object>;
  readonly listResources: () => Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  readonly listResourceTemplates: () => Promise<{
    readonly resourceTemplates: readonly { readonly uriTemplate: string }[];
  }>;
  readonly readResource: (asked: { uri: string }) => Promise<object>;
  readonly complete: (asked: { ref: object; argument: object }) => Promise<{ readonly completion: object }>;
}

/** What tests do with a client of either library. */
export interface ConnectedClient {
  readonly tools: () => Promise<readonly { readonly name: string; readonly description?: string | undefined }[]>;
  readonly call: (
    name: string,
    values?: object,
    onProgress?: (progress: { progress: number }) => void,
  ) => Promise<CallResult>;
  readonly close: () => Promise<void>;
  readonly client: OfficialClient;
}

/** An answer in JSON-RPC. */
export interface RpcAnswer {
  readonly id: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

/** The kinds of servers and clients. */
export const ERAS = ['modern', 'legacy'] as const;

export type Era = (typeof ERAS)[number];

export interface McpGateway {
  readonly app: TestApplication;
  readonly organization: NewOrganization;
  /** The servers of both kinds, which a describe block has. */
  readonly real: Readonly<Record<Era, RealServer>>;
  /** Adds a server to the organization, with all of its tools approved. @returns its id */
  readonly added: (name: string, url: string, fields?: object) => Promise<string>;
  readonly guarded: (settings: object) => Promise<IssuedCredential>;
  readonly connected: (era: Era, key: IssuedCredential, path?: string) => Promise<ConnectedClient>;
  /** Sends a message of the newest revision as it is written on the wire. */
  readonly send: (
    key: IssuedCredential,
    method: string,
    params?: object,
    path?: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer<RpcAnswer>>;
  readonly records: (key: IssuedCredential, count: number) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The headers and the body of a request of the newest revision. */
export function modernMessage(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): { readonly headers: Record<string, string>; readonly json: object } {
  const name = params['name'] ?? params['uri'];
  const meta = { ...META, ...(params['_meta'] as object | undefined) };
  return {
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    json: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
  };
}

/** An application that allows private addresses, with an organization for each test, and servers of both kinds. */
export function mcpGateway(variables: Readonly<Record<string, string>> = {}): McpGateway {
  const app = sharedApplication({ variables: { ALLOW_PRIVATE_DESTINATIONS: 'true', ...variables } });
  const organization = organizationPerTest(app);
  const real = filledBefore(beforeAll, async () => ({
    modern: await startModernServer(),
    legacy: await startLegacyServer(),
  }));
  beforeEach(() => {
    for (const era of ERAS) {
      real[era].description = 'a tool';
      real[era].headers.length = 0;
    }
  });
  afterAll(() => Promise.all(ERAS.map((era) => real[era].stop())));
  const urlOf = (path: string): URL => new URL(`${app.origin}/api/v1/mcp${path}`);
  return {
    app,
    organization,
    real,
    added: async (name, url, fields = {}) => {
      const id = await newMcpServer(app, organization, { name, url, ...fields });
      await approveAll(app, organization, id);
      return id;
    },
    guarded: (settings) => guardedKey(app, organization, settings),
    connected: (era, key, path = '') =>
      era === 'modern' ? modernClient(urlOf(path), key) : legacyClient(urlOf(path), key),
    send: (key, method, params = {}, path = '', headers = {}) => {
      const message = modernMessage(method, params as Readonly<Record<string, unknown>>);
      return app.api.post(`/mcp${path}`, {
        key: key.plaintext,
        json: message.json,
        headers: { ...message.headers, ...headers },
      });
    },
    records: async (key, count) => {
      const read = (): Promise<Readonly<Record<string, unknown>>[]> =>
        app.rows('SELECT * FROM generations WHERE key_id = $1 ORDER BY model, created_at, id', [key.id]);
      await until(async () => (await read()).length >= count);
      return read();
    },
  };
}

/** Makes a key with a guardrail of its own. */
export async function guardedKey(
  app: TestApplication,
  organization: NewOrganization,
  settings: object,
): Promise<IssuedCredential> {
  const key = await app.factory.key(organization);
  const { id } = await app.factory.guardrail(organization, settings);
  const answer = await app.api.post(`/guardrails/${id}/assignments/keys`, {
    key: organization.managementKey,
    json: { key_hashes: [key.hash] },
  });
  expect(answer.status).toBe(200);
  return key;
}

/** What requests of a client have to show a key. */
export function headersOf({ plaintext }: IssuedCredential): { readonly headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${plaintext}` } };
}

async function modernClient(url: URL, key: IssuedCredential): Promise<ConnectedClient> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: headersOf(key) }));
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, values = {}, onprogress) =>
      (await client.callTool(
        { name, arguments: values as Record<string, unknown> },
        onprogress && { onprogress },
      )) as never,
    close: () => client.close(),
    client: client as unknown as OfficialClient,
  };
}

async function legacyClient(url: URL, key: IssuedCredential): Promise<ConnectedClient> {
  const client = new LegacyClient({ name: 'test', version: '1.0.0' });
  await client.connect(new LegacyTransport(url, { requestInit: headersOf(key) }));
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, values = {}, onprogress) =>
      (await client.callTool(
        { name, arguments: values as Record<string, unknown> },
        undefined,
        onprogress && { onprogress },
      )) as never,
    close: () => client.close(),
    client: client as unknown as OfficialClient,
  };
}

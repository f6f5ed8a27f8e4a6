import { loadEnvironment } from '../../bootstrap/load-environment.js';
import { UsageError } from '../../bootstrap/usage-error.js';
import { OutgoingClient } from '../../http/outgoing/outgoing-client.js';
import { beginningOf } from '../../http/outgoing/outgoing-answer.js';
import { isObject } from '../../http/validation/constraints.js';
import { type ConfigurationServer, Refused } from './operations.js';

/** The interface without a path has its operations here. */
const BASE_PATH = '/api/v1';

/** How long an answer may take: a plan of some thousands of objects has to be made. In milliseconds. */
const ANSWER_TIMEOUT_MS = 600_000;

/** The longest answer that is read, in bytes. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

const CONNECTIONS = {
  connectTimeoutMs: 10_000,
  keepAliveMs: 4_000,
  maximumHead: 65_536,
  addresses: undefined,
} as const;

/** Sends a request to an operation. @throws Refused for what the server refuses */
export type SendToServer = <Body>(method: string, operation: string, json?: object) => Promise<Body>;

/**
 * Works with the interface of a server, through the proxies of the environment.
 *
 * @param url of the interface; one without a path has it at /api/v1
 * @param key a management key
 * @throws UsageError for what is no address, for no answer, and for one that is not of the interface
 */
export async function withInterface<T>(url: string, key: string, work: (send: SendToServer) => Promise<T>): Promise<T> {
  const baseUrl = baseUrlOf(url);
  const client = new OutgoingClient(loadEnvironment({ encrypts: false }), CONNECTIONS);
  try {
    return await work((method, operation, json) => answerOf(client, `${baseUrl}${operation}`, method, key, json));
  } finally {
    await client.close();
  }
}

/** The operations on configuration of a server. */
export function remoteServer(send: SendToServer): ConfigurationServer {
  return {
    plan: (input) => send('POST', '/configuration/plan', input),
    apply: (input) => send('POST', '/configuration/apply', input),
    export: (input) => send('GET', `/configuration/export?${new URLSearchParams({ ...input }).toString()}`),
    organizationId: async () => {
      const { data } = await send<{ data: { organization_id: string } }>('GET', '/key');
      return data.organization_id;
    },
  };
}

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('GATEHOUSE_URL must be an address as https://gatehouse.example.com/api/v1.');
  }
  const { origin, pathname } = url;
  return `${origin}${pathname === '/' ? BASE_PATH : pathname.replace(/\/$/, '')}`;
}

/** @throws Refused for what the server refuses, UsageError for no answer, or one that is not of the interface */
async function answerOf<Body>(
  client: OutgoingClient,
  url: string,
  method: string,
  key: string,
  json: object | undefined,
): Promise<Body> {
  const { status, body } = await read(client, url, method, key, json);
  if (status >= 200 && status < 300) return body as Body;
  const error = isObject(body['error']) ? body['error'] : {};
  const metadata = isObject(error['metadata']) ? error['metadata'] : {};
  const message = [metadata['reason'], error['message']].find((text) => typeof text === 'string') ?? 'no reason';
  if (status >= 400 && status < 500) throw new Refused(status, message, metadata);
  throw new UsageError(`${url} answers ${status}: ${message}.`);
}

async function read(
  client: OutgoingClient,
  url: string,
  method: string,
  key: string,
  json: object | undefined,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  try {
    const { status, body } = await client.send(url, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(json && { 'content-type': 'application/json' }) },
      body: json === undefined ? null : JSON.stringify(json),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    const { bytes } = await beginningOf(body, MOST_ANSWER_BYTES);
    const value = JSON.parse(bytes.toString('utf8')) as unknown;
    if (!isObject(value)) throw new Error('it is no object');
    return { status, body: value };
  } catch (error) {
    throw new UsageError(`${url} gives no answer of the interface: ${(error as Error).message}.`);
  }
}

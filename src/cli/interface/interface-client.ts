import { loadEnvironment } from '../../bootstrap/load-environment.js';
import { UsageError } from '../../bootstrap/usage-error.js';
import { OutgoingClient } from '../../http/outgoing/outgoing-client.js';
import { beginningOf, type OutgoingAnswer } from '../../http/outgoing/outgoing-answer.js';
import { parsedIfJson } from '../../http/input/json-bounds.js';
import { isObject } from '../../http/validation/constraints.js';
import {
  type AnswerOf,
  type FilterOf,
  type ItemOf,
  OPERATIONS,
  type Operations,
  type PagedOperation,
  type SentOf,
  type SentParts,
} from './operations.js';
import { Refused } from './refused.js';

/** The interface without a path has its operations here. */
const BASE_PATH = '/api/v1';

/** How long an answer may take: a plan of some thousands of objects has to be made. In milliseconds. */
const ANSWER_TIMEOUT_MS = 600_000;

/** The longest answer that is read, in bytes. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/** The longest page of a list. */
const LONGEST_PAGE = 100;

const CONNECTIONS = {
  connectTimeoutMs: 10_000,
  keepAliveMs: 4_000,
  maximumHead: 65_536,
  addresses: undefined,
} as const;

/** Which items of a list: all of them by default. */
interface Range {
  readonly offset?: number;
  readonly limit?: number;
}

/**
 * Works with the interface of a server, through the proxies of the environment.
 *
 * @param url of the interface; one without a path has it at /api/v1
 * @param key a management key
 * @throws UsageError for what is no address, for no answer, and for one that is not of the interface
 */
export async function withInterface<T>(
  url: string,
  key: string,
  work: (server: InterfaceClient) => Promise<T>,
): Promise<T> {
  const baseUrl = baseUrlOf(url);
  const client = new OutgoingClient(loadEnvironment({ encrypts: false }), CONNECTIONS);
  try {
    return await work(new InterfaceClient(client, baseUrl, key));
  } finally {
    await client.close();
  }
}

/** The interface of a server, called with one key. All throw {@link Refused} for what it refuses, and UsageError for what is no answer of it. */
export class InterfaceClient {
  constructor(
    private readonly client: OutgoingClient,
    private readonly baseUrl: string,
    private readonly key: string,
  ) {}

  /** Calls an operation. */
  async call<Name extends keyof Operations>(name: Name, sent: SentOf<Name>): Promise<AnswerOf<Name>> {
    const { answer, url } = await this.sent(name, sent);
    const { bytes, isWhole } = await this.received(url, () => beginningOf(answer.body, MOST_ANSWER_BYTES));
    if (!isWhole) throw new UsageError(`${url} answers more than ${MOST_ANSWER_BYTES} bytes.`);
    const body = parsedIfJson(bytes.toString('utf8'));
    if (!isObject(body)) throw notOfInterface(url, answer.status);
    if (answer.status >= 200 && answer.status < 300) return body as AnswerOf<Name>;
    throw errorOf(url, answer, body);
  }

  /** Reads a list over its pages. @returns the items of the range, and how many the whole list has */
  async list<Name extends PagedOperation>(
    name: Name,
    filter: FilterOf<Name>,
    { offset = 0, limit = Infinity }: Range = {},
  ): Promise<{ readonly items: ItemOf<Name>[]; readonly total: number }> {
    const items: ItemOf<Name>[] = [];
    for (;;) {
      // One item also where none is asked for: the answer says how many there are.
      const page = {
        offset: offset + items.length,
        limit: Math.min(Math.max(limit - items.length, 1), LONGEST_PAGE),
      };
      const answer = await this.call(name, { query: { ...filter, ...page } } as unknown as SentOf<Name>);
      const { data, total_count: total } = answer as { data: ItemOf<Name>[]; total_count: number };
      items.push(...data);
      const isEnd = data.length === 0 || items.length >= limit || offset + items.length >= total;
      if (isEnd) return { items: items.slice(0, limit), total };
    }
  }

  /** Calls an operation whose answer has no end to wait for, and reads it piece by piece. */
  async *pieces<Name extends keyof Operations>(name: Name, sent: SentOf<Name>): AsyncGenerator<Uint8Array> {
    const { answer, url } = await this.sent(name, sent);
    if (answer.status !== 200) {
      const { bytes } = await this.received(url, () => beginningOf(answer.body, MOST_ANSWER_BYTES));
      const body = parsedIfJson(bytes.toString('utf8'));
      throw isObject(body) ? errorOf(url, answer, body) : notOfInterface(url, answer.status);
    }
    if (!String(answer.headers['content-type']).startsWith('application/x-ndjson')) {
      answer.body.destroy();
      throw notOfInterface(url, answer.status);
    }
    const pieces = answer.body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    for (;;) {
      const next = await this.received(url, () => pieces.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  /** The organization of the key. */
  async organizationId(): Promise<string> {
    const { data } = await this.call('getCurrentKey', {});
    if (data.organization_id === null) throw new UsageError('GATEHOUSE_KEY must be a management key.');
    return data.organization_id;
  }

  private async sent(
    name: keyof Operations,
    { path = {}, query = {}, body }: SentParts,
  ): Promise<{ readonly answer: OutgoingAnswer; readonly url: string }> {
    const { method, path: form } = OPERATIONS[name];
    const operation = form.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(path[part]!));
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(
      given.map(([field, value]) => [field, String(value)] as [string, string]),
    ).toString();
    const url = `${this.baseUrl}${operation}`;
    const answer = await this.received(url, () =>
      this.client.send(search === '' ? url : `${url}?${search}`, {
        method,
        headers: { authorization: `Bearer ${this.key}`, ...(body && { 'content-type': 'application/json' }) },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      }),
    );
    return { answer, url };
  }

  /** @throws UsageError for a failure of the connection */
  private async received<T>(url: string, receive: () => Promise<T>): Promise<T> {
    try {
      return await receive();
    } catch (error) {
      throw new UsageError(`${url} gives no answer: ${causeOf(error)}.`);
    }
  }
}

function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('GATEHOUSE_URL must be an address as https://gatehouse.example.com/api/v1.');
  }
  const { origin, pathname } = url;
  return `${origin}${pathname === '/' ? BASE_PATH : pathname.replace(/\/$/, '')}`;
}

/** Why a connection has failed: of several addresses of a name, each has its own reason. */
function causeOf(error: unknown): string {
  const failures = (error instanceof AggregateError ? error.errors : [error]) as (Error & { readonly code?: string })[];
  // The messages of OpenSSL are lines of its source.
  const causes = failures.map(({ message, code = '' }) => (code.startsWith('ERR_SSL_') ? code : message));
  return [...new Set(causes)].join(', ').replace(/\.$/, '');
}

function notOfInterface(url: string, status: number): UsageError {
  return new UsageError(`${url} answers ${status} with something else than the interface: GATEHOUSE_URL may be wrong.`);
}

/** The error for an answer that is no success. */
function errorOf(
  url: string,
  { status, headers }: OutgoingAnswer,
  body: Readonly<Record<string, unknown>>,
): Refused | UsageError {
  const error = isObject(body['error']) ? body['error'] : undefined;
  if (error === undefined) return notOfInterface(url, status);
  const metadata = isObject(error['metadata']) ? error['metadata'] : {};
  const reason = [metadata['reason'], error['message']].find((text) => typeof text === 'string') ?? 'no reason';
  if (status < 400 || status >= 500) return new UsageError(`${url} answers ${status}: ${reason}.`);
  return new Refused(status, reason, metadata, sentenceOf(status, reason, metadata, headers['retry-after']));
}

/** What a refusal means that every operation may answer; undefined for one of the operation itself. */
function sentenceOf(
  status: number,
  reason: string,
  { required }: Readonly<Record<string, unknown>>,
  retryAfter: string | string[] | undefined,
): string | undefined {
  if (status === 401) return `GATEHOUSE_KEY is refused: 401 ${reason}.`;
  if (status === 403 && Array.isArray(required))
    return `GATEHOUSE_KEY lacks these permissions: ${required.join(', ')}.`;
  if (status === 403) return `GATEHOUSE_KEY may not do this: 403 ${reason}.`;
  if (status === 404 && reason === 'route_not_found') {
    return 'The server does not have this operation, or not for the organization of GATEHOUSE_KEY.';
  }
  if (status !== 429) return undefined;
  return `The server takes no more requests now: 429 ${reason}${retryAfter === undefined ? '' : `, try again in ${String(retryAfter)} seconds`}.`;
}

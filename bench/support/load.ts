import autocannon from 'autocannon';
import type { ServerProcess } from './server-process.js';

/** One request of a scenario. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Besides those that every request has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a round of load found. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server for one request, in milliseconds. */
  readonly processorMs: number;
  readonly failed: number;
  readonly sent: number;
}

/** How many connections send at the same time. */
const CONNECTIONS = 32;

/**
 * Sends requests to a server for a while.
 *
 * @param next makes the next request; every connection takes from the same sequence
 * @param seconds how long
 */
export function load(
  server: ServerProcess,
  key: string,
  next: () => LoadRequest,
  seconds: number,
): Promise<LoadResult> {
  return run(server, key, next, { duration: seconds });
}

/**
 * Sends so many requests to a server.
 *
 * @param next makes the next request; every connection takes from the same sequence
 */
export function send(server: ServerProcess, key: string, next: () => LoadRequest, amount: number): Promise<LoadResult> {
  return run(server, key, next, { amount });
}

async function run(
  server: ServerProcess,
  key: string,
  next: () => LoadRequest,
  extent: { duration: number } | { amount: number },
): Promise<LoadResult> {
  const before = server.processorTime();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const result = await autocannon({
    url: server.origin,
    connections: CONNECTIONS,
    ...extent,
    headers,
    requests: [
      {
        setupRequest: (request) => {
          const { method, path, body, headers: own } = next();
          // The headers anew: autocannon leaves the length of a body in them, which the next request may not have.
          return { ...request, method, path, headers: { ...headers, ...own }, body: body && JSON.stringify(body) };
        },
      },
    ],
  });
  const sent = result.requests.total;
  return {
    requestsPerSecond: sent / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    processorMs: (server.processorTime() - before) / sent,
    // What its caller has already is no failure.
    failed: result.non2xx - result['3xx'] + result.errors + result.timeouts,
    sent,
  };
}

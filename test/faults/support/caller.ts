import http from 'node:http';

/** How long a caller waits for an answer before it counts the request as hung, in milliseconds. */
const TIMEOUT_MS = 150_000;

/** What came of a request: an answer, or what happened in place of one. */
export interface Outcome {
  /** Undefined when there was no complete answer. */
  readonly status: number | undefined;
  readonly text: string;
  /** The headers of the answer, a line each. */
  readonly head: string;
  /** What happened in place of an answer. */
  readonly fault?: string;
  /** When it was sent and when that came of it, on the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Calls a service over persistent connections. */
export class Caller {
  private readonly agent: http.Agent;
  private requests = 0;

  /**
   * @param origins scheme, host and port of each replica, which get the requests in turns
   * @param key the bearer credential of every request that brings none of its own
   * @param connections how many at most, to all replicas together
   */
  constructor(
    private readonly origins: readonly string[],
    private readonly key: string | undefined,
    connections = 256,
  ) {
    const each = Math.ceil(connections / origins.length);
    this.agent = new http.Agent({ keepAlive: true, maxSockets: each, maxFreeSockets: each });
  }

  get(path: string, key = this.key): Promise<Outcome> {
    return this.send('GET', path, undefined, key);
  }

  post(path: string, json: unknown, key = this.key): Promise<Outcome> {
    return this.send('POST', path, JSON.stringify(json), key);
  }

  delete(path: string, key = this.key): Promise<Outcome> {
    return this.send('DELETE', path, undefined, key);
  }

  /** Never rejects: that no answer came is an outcome too. */
  send(
    method: string,
    path: string,
    body?: string | Buffer,
    key = this.key,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Outcome> {
    const startedAt = performance.now();
    const origin = this.origins[this.requests++ % this.origins.length]!;
    return new Promise((resolve) => {
      const finish = (status: number | undefined, text: string, fault?: string, head = ''): void => {
        clearTimeout(timer);
        resolve({ status, text, head, startedAt, endedAt: performance.now(), ...(fault !== undefined && { fault }) });
      };
      const request = http.request(
        origin + path,
        {
          method,
          agent: this.agent,
          headers: {
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
            ...(body !== undefined && {
              'content-type': 'application/json',
              'content-length': String(Buffer.byteLength(body)),
            }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', (error) => finish(undefined, '', error.message));
          response.once('end', () => {
            finish(response.statusCode, Buffer.concat(chunks).toString(), undefined, response.rawHeaders.join('\n'));
          });
        },
      );
      const timer = setTimeout(() => request.destroy(new Error('hung')), TIMEOUT_MS);
      // Also after an answer that came before the body was sent, when it says nothing any more.
      request.on('error', (error) => finish(undefined, '', error.message));
      request.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

import http from 'node:http';
import type { LoadRequest } from '../support/load.js';

/** Sends one request after the other on one connection. */
export class LatencyProbe {
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly origin: string,
    private readonly key: string,
  ) {}

  /** How long a request takes until its answer is read, in milliseconds. */
  async time(request: LoadRequest): Promise<number> {
    const before = performance.now();
    await this.send(request);
    return performance.now() - before;
  }

  close(): void {
    this.agent.destroy();
  }

  private send({ method, path, body }: LoadRequest): Promise<void> {
    const text = body && JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.key}`,
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const request = http.request(`${this.origin}${path}`, { method, agent: this.agent, headers }, (response) => {
        response.on('error', reject);
        response.on('end', () =>
          response.statusCode! < 300 ? resolve() : reject(new Error(`${method} ${path}: ${response.statusCode}`)),
        );
        response.resume();
      });
      request.on('error', reject);
      request.end(text);
    });
  }
}

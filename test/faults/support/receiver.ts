import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** What a generation is named by, wherever it stands in a body. */
const GENERATION_ID = /gen-\d{10}-[A-Za-z0-9]{20}/g;

/** A receiver of generations, which counts how often each has come with a request that it has taken. */
export class Receiver {
  readonly taken = new Map<string, number>();
  /** Whether it takes nothing now. */
  isFailing = false;

  private constructor(private readonly server: http.Server) {}

  static async start(): Promise<Receiver> {
    const server = http.createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        if (receiver.isFailing) response.writeHead(503).end();
        else {
          receiver.take(Buffer.concat(pieces), request.headers['content-encoding'] === 'gzip');
          response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        }
      });
    });
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** How many generations have come more than once. */
  get repeated(): number {
    return [...this.taken.values()].filter((times) => times > 1).length;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private take(body: Buffer, isCompressed: boolean): void {
    const text = (isCompressed ? gunzipSync(body) : body).toString('utf8');
    for (const id of new Set(text.match(GENERATION_ID))) this.taken.set(id, (this.taken.get(id) ?? 0) + 1);
  }
}

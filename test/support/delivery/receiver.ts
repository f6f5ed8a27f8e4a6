import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { ReceiverUnreachable } from '../../../src/modules/observability/delivery/verdicts.js';
import type {
  DeliveryTarget,
  ReceiverAnswer,
  ReceiverRequest,
  ReceiverTransport,
} from '../../../src/modules/observability/delivery/destination-adapter.js';

/** A request as a receiver gets it. */
export interface Received {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent. */
  readonly raw: Buffer;
  /** Decompressed. */
  readonly body: Buffer;
}

type Answer = (received: Received) => Partial<ReceiverAnswer>;

/** A receiver on the loopback, which answers every host that requests name. */
export class Receiver implements ReceiverTransport {
  readonly received: Received[] = [];
  /** The addresses that were to be called, in order. */
  readonly urls: string[] = [];
  answer: Answer = () => ({ status: 200, body: '{}', headers: { 'content-type': 'application/json' } });

  // A process that is busy for seconds finds that the limits of an idle connection and of a slow request have passed, and its request cut off.
  private readonly server: Server = createServer({ keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });

  constructor() {
    this.server.on('request', (incoming, response) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.once('end', () => {
        const raw = Buffer.concat(pieces);
        const body = incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
        const { method = '', url = '', headers } = incoming;
        const received = { method, path: url, headers, raw, body };
        this.received.push(received);
        const answer = this.answer(received);
        response
          .writeHead(answer.status ?? 200, answer.headers as Record<string, string>)
          .end(answer.bytes ?? answer.body ?? '');
      });
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  /** Sends a request to this receiver, whatever its host is. */
  async send({ method, url, headers, body }: ReceiverRequest): Promise<ReceiverAnswer> {
    const { host, pathname, search } = new URL(url);
    this.urls.push(url);
    const { port } = this.server.address() as AddressInfo;
    const answer = await request(`http://127.0.0.1:${port}${pathname}${search}`, {
      method,
      headers: { ...headers, host },
      ...(body !== undefined && { body }),
    }).catch((error: unknown) => {
      throw new ReceiverUnreachable('The receiver gave no answer.', { cause: error });
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      body: bytes.toString(),
      bytes,
    };
  }

  get last(): Received {
    return this.received.at(-1)!;
  }

  /** Forgets what came. */
  reset(): void {
    this.received.length = 0;
    this.urls.length = 0;
    this.answer = () => ({ status: 200, body: '{}', headers: { 'content-type': 'application/json' } });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A receiver for the tests of a describe block, which finds nothing in it that an earlier test has left. */
export function sharedReceiver(): Receiver {
  const receiver = new Receiver();
  beforeAll(() => receiver.start());
  afterAll(() => receiver.stop());
  beforeEach(() => receiver.reset());
  return receiver;
}

/** A destination of a configuration. */
export function targetOf(config: Record<string, unknown>, changes: Partial<DeliveryTarget> = {}): DeliveryTarget {
  return {
    destinationId: '01a1fc88-79e8-7a5c-9d3e-1f0c5b7a9e30',
    config,
    encoding: null,
    signingSecrets: [],
    ...changes,
  };
}

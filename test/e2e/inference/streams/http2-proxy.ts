import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Agent, fetch as fetchThrough } from 'undici';
import { SELF_SIGNED_CERTIFICATE } from '../../../support/network/self-signed-certificate.js';

/** Fields of a connection, which HTTP/2 has none of (RFC 9113, section 8.2.2). */
const OF_CONNECTIONS = ['connection', 'keep-alive', 'transfer-encoding'];

/** A reverse proxy that speaks HTTP/2 with clients and HTTP/1.1 with the service, as those in front of a deployment do. */
export class Http2Proxy {
  private readonly agent = new Agent({ allowH2: true, connect: { rejectUnauthorized: false } });

  private constructor(private readonly server: http2.Http2SecureServer) {}

  /** @param origin of the service */
  static async before(origin: string): Promise<Http2Proxy> {
    const server = http2.createSecureServer(SELF_SIGNED_CERTIFICATE);
    server.on('stream', (stream, { ':method': method, ':path': path, ...headers }) =>
      pass(stream, origin, { method, path, headers }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Http2Proxy(server);
  }

  get origin(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sends a request over HTTP/2. */
  readonly fetch = ((url: string, init: object) =>
    fetchThrough(url, { ...init, dispatcher: this.agent })) as unknown as typeof fetch;

  async stop(): Promise<void> {
    await this.agent.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

interface ProxiedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: http2.IncomingHttpHeaders;
}

function pass(stream: http2.ServerHttp2Stream, origin: string, { method, path, headers }: ProxiedRequest): void {
  const sent = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  const request = http.request(`${origin}${path}`, { method, headers: Object.fromEntries(sent), agent: false });
  request.on('response', (answer) => {
    const kept = Object.entries(answer.headers).filter(([name]) => !OF_CONNECTIONS.includes(name));
    stream.respond({ ':status': answer.statusCode, ...Object.fromEntries(kept) });
    answer
      .on('data', (piece: Buffer) => stream.write(piece))
      .once('end', () => stream.end())
      // The answer has not ended.
      .on('error', () => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR));
  });
  request.on('error', () => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR));
  stream.on('error', () => undefined).once('close', () => request.destroy());
  stream.pipe(request);
}

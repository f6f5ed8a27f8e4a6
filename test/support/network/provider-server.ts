import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import busboy from 'busboy';
import type { Upstream } from '../../../src/modules/codecs/upstream-codec.js';

/** What a provider was sent. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, or the parts of a form by their names, each as a list; undefined if there is none. */
  readonly body: unknown;
}

/** Answers a request. */
export type ProviderAnswer = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

/** A certificate that no authority has signed, and its key. */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
}

/** A provider of a test's own, on the loopback: it says whatever the test wants it to. */
export class ProviderServer {
  readonly received: ReceivedRequest[] = [];
  /** How many connections were made. */
  connections = 0;
  private answer: ProviderAnswer = (response) => void response.writeHead(500).end();

  private constructor(
    private readonly server: http.Server | https.Server,
    private readonly scheme: string,
  ) {}

  /** @param certificate for https */
  static async start(certificate?: ServerCertificate): Promise<ProviderServer> {
    const server = certificate === undefined ? http.createServer() : https.createServer(certificate);
    const provider = new ProviderServer(server, certificate === undefined ? 'http' : 'https');
    // What stands in front of public providers does not say how long it keeps connections that are not used.
    if (certificate !== undefined) server.keepAliveTimeout = 0;
    server.on('connection', () => (provider.connections += 1));
    server.on('request', (request: http.IncomingMessage, response: ServerResponse) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.once('end', () => {
        const bytes = Buffer.concat(pieces);
        const isCompressed = request.headers['content-encoding'] === 'gzip';
        void provider.receive(request, isCompressed ? gunzipSync(bytes) : bytes, response);
      });
    });
    await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, resolve));
    return provider;
  }

  get baseUrl(): string {
    return `${this.scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** @returns how to call it, with limits of time that no test reaches unless it changes them */
  upstream(changes: Partial<Upstream> = {}): Upstream {
    const longest = 300_000;
    return {
      provider: 'example',
      baseUrl: this.baseUrl,
      apiKey: 'provider-key-0123456789',
      timeouts: { connect: longest, headers: longest, firstEvent: longest, gap: longest },
      ...changes,
    };
  }

  /** How to call it with some other limits of time. */
  limitedUpstream(timeouts: Partial<Upstream['timeouts']>): Upstream {
    const upstream = this.upstream();
    return { ...upstream, timeouts: { ...upstream.timeouts, ...timeouts } };
  }

  /** Says how the requests from now on are answered, and forgets those that came. */
  answerWith(answer: ProviderAnswer): void {
    this.received.length = 0;
    this.answer = answer;
  }

  /** Answers with a document. */
  answerJson(document: unknown, status = 200, headers: http.OutgoingHttpHeaders = {}): void {
    this.answerWith((response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(document));
    });
  }

  /** Answers with a stream whose text is sent at once, and that then ends. */
  answerStream(text: string): void {
    this.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
    });
  }

  /** Lets the process end although it was not stopped. */
  unref(): void {
    this.server.unref();
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async receive(request: http.IncomingMessage, bytes: Buffer, response: ServerResponse): Promise<void> {
    const received = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      body: bytes.length === 0 ? undefined : await parsed(bytes, request.headers['content-type']),
    };
    this.received.push(received);
    await this.answer(response, received);
  }
}

/** A file of a form, as a provider has got it. */
export interface ReceivedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

async function parsed(bytes: Buffer, type = ''): Promise<unknown> {
  if (!type.startsWith('multipart/form-data')) return JSON.parse(bytes.toString()) as unknown;
  const parts: Record<string, (string | ReceivedFile)[]> = {};
  const add = (name: string, part: string | ReceivedFile): void => void (parts[name] ??= []).push(part);
  const parser = busboy({ headers: { 'content-type': type } });
  parser.on('field', add).on('file', (name, stream, { filename = '', mimeType }) => {
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('end', () => add(name, { name: filename, type: mimeType, bytes: Buffer.concat(pieces) }));
  });
  await new Promise((resolve, reject) =>
    parser
      .on('close', () => resolve(undefined))
      .on('error', reject)
      .end(bytes),
  );
  return parts;
}

import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a token service got it. */
export interface ReceivedTokenRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  /** The fields of a form; empty for another body. */
  readonly form: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An answer of a token service; an object is sent as JSON. */
export interface TokenServiceAnswer {
  readonly status?: number;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body: object | string;
}

/** The token services of the clouds, and those of their machines: it answers each path as a test says. */
export class TokenService {
  readonly received: ReceivedTokenRequest[] = [];
  private readonly answers = new Map<string, TokenServiceAnswer | (() => TokenServiceAnswer)>();

  private constructor(private readonly server: http.Server) {}

  static async start(): Promise<TokenService> {
    const server = http.createServer();
    const service = new TokenService(server);
    server.on('request', (request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.once('end', () => service.receive(request, Buffer.concat(pieces).toString(), response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Says how a path is answered, each time anew by a function. */
  answer(path: string, answer: TokenServiceAnswer | (() => TokenServiceAnswer)): void {
    this.answers.set(path, answer);
  }

  /** Forgets what came, and what was to be answered. */
  reset(): void {
    this.received.length = 0;
    this.answers.clear();
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private receive(request: http.IncomingMessage, text: string, response: http.ServerResponse): void {
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
    const path = request.url!;
    const form = isForm ? Object.fromEntries(new URLSearchParams(text)) : {};
    this.received.push({ method: request.method!, path, headers: request.headers, form, text });
    const given = this.answers.get(path.split('?')[0]!) ?? { status: 404, body: {} };
    const { status = 200, headers = {}, body }: TokenServiceAnswer = typeof given === 'function' ? given() : given;
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  }
}

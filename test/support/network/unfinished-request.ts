import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A request that a server has begun to read, and whose body it waits for. */
export class UnfinishedRequest {
  private readonly answer: Promise<IncomingMessage>;
  private answered = false;

  private constructor(
    private readonly request: ClientRequest,
    private readonly rest: string,
  ) {
    this.answer = once(request, 'response').then(([response]) => response as IncomingMessage);
    this.answer.then(
      () => (this.answered = true),
      () => undefined,
    );
  }

  /** Sends everything but the end of the body, and waits until the server has asked for more. */
  static async post(url: string, key: string, body: object): Promise<UnfinishedRequest> {
    const whole = JSON.stringify(body);
    const request = http.request(url, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(whole),
        expect: '100-continue',
      },
    });
    const half = new UnfinishedRequest(request, whole.slice(-1));
    request.flushHeaders();
    await once(request, 'continue');
    request.write(whole.slice(0, -1));
    return half;
  }

  /** Whether the server has answered without waiting for what is missing. */
  get isAnswered(): boolean {
    return this.answered;
  }

  /** Breaks the connection instead of sending what is missing. */
  abort(): void {
    this.answer.catch(() => undefined);
    this.request.on('error', () => undefined).destroy();
  }

  /** Sends what is missing. */
  async finish(): Promise<{ status: number; connection: string | undefined; body: unknown }> {
    this.request.end(this.rest);
    const response = await this.answer;
    const body: unknown = JSON.parse(await text(response));
    return { status: response.statusCode!, connection: response.headers.connection, body };
  }
}

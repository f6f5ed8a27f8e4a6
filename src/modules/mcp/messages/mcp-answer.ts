import type { Response } from 'express';
import { onItsOwn } from '../../../concurrency/request-scope.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { emptyHead, eventStreamHead, jsonHead } from '../../../http/json-head.js';
import type { JsonObject, RpcError, RpcId } from '../../mcp-servers/upstream/json-rpc.js';

/** How often a stream without messages says that it is alive, in milliseconds. */
const KEEP_ALIVE_MS = 15_000;

/** The answer to one message: JSON, or a stream of events from the first notification on. */
export class McpAnswer {
  private isStream = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param headers further names and values, in turn */
  constructor(
    private readonly response: Response,
    private readonly headers: readonly string[] = [],
  ) {}

  /** Whether the client takes a stream. */
  get canStream(): boolean {
    return /text\/event-stream|\*\/\*/.test(this.request.headers.accept ?? '');
  }

  /** Says nothing but that the message was taken. */
  accepted(status = 202): void {
    if (!this.response.destroyed)
      this.response.writeHead(status, [...emptyHead(this.requestId), ...this.headers]).end();
  }

  /** Keeps the connection of a long request alive, where its client takes a stream. */
  keepAlive(): void {
    if (!this.canStream) return;
    const say = (): void => {
      this.begin();
      if (!this.response.destroyed) this.response.write(': \n\n');
    };
    this.timer = onItsOwn(() => setInterval(say, KEEP_ALIVE_MS));
    this.response.once('close', () => clearInterval(this.timer));
  }

  /** Sends a notification ahead of the answer, where the client takes a stream. */
  notify(method: string, params: JsonObject): void {
    if (!this.canStream || this.response.destroyed || this.response.writableEnded) return;
    this.begin();
    this.event({ jsonrpc: '2.0', method, params });
  }

  /**
   * Sends a message of a server ahead of the answer, or in a stream without one, and waits while the client does not read what was sent before.
   * Clients of the revisions in which servers send any must take a stream.
   */
  async pass(message: object): Promise<void> {
    if (this.response.destroyed || this.response.writableEnded) return;
    this.begin();
    this.event(message);
    if (!this.response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        this.response.off('drain', go).off('close', go);
        resolve();
      };
      this.response.on('drain', go).on('close', go);
    });
  }

  /** Begins a stream that answers no message. */
  stream(): void {
    this.keepAlive();
    this.begin();
    this.response.flushHeaders();
  }

  /** Ends a stream that answers no message. */
  endStream(): void {
    clearInterval(this.timer);
    if (!this.response.destroyed) this.response.end();
  }

  result(id: RpcId, result: JsonObject): void {
    this.end(200, { jsonrpc: '2.0', id, result });
  }

  /** @param status for an answer that is no stream already */
  error(id: RpcId | null, error: RpcError, status = 200, retryAfterSeconds?: number): void {
    this.end(status, { jsonrpc: '2.0', id, error }, retryAfterSeconds);
  }

  private end(status: number, message: object, retryAfterSeconds?: number): void {
    clearInterval(this.timer);
    if (this.response.destroyed) return;
    if (this.isStream) {
      this.event(message);
      this.response.end();
      return;
    }
    const text = JSON.stringify(message);
    const retry = retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)];
    this.response.writeHead(status, [...jsonHead(this.requestId, Buffer.byteLength(text)), ...this.headers, ...retry]);
    this.response.end(text);
  }

  private begin(): void {
    if (this.isStream) return;
    this.isStream = true;
    this.response.writeHead(200, [...eventStreamHead(this.requestId), ...this.headers]);
  }

  private event(message: object): void {
    this.response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  private get request(): GatehouseRequest {
    return this.response.req as GatehouseRequest;
  }

  private get requestId(): string {
    return this.request.requestId;
  }
}

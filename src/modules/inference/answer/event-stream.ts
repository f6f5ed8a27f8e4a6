import { once } from 'node:events';
import type { Response } from 'express';
import { eventStreamHead } from '../../../api/json-head.js';
import type { GatehouseRequest } from '../../../api/request.js';
import { ClientGoneError } from '../../../api/client-signal.js';

/** How long nothing is sent before a comment is, in milliseconds: intermediaries end connections that are silent for longer. */
const SILENCE_MS = 10_000;

const COMMENTS = { specification: ': PROCESSING\n\n', public: ': OPENROUTER PROCESSING\n\n' } as const;

/**
 * The server-sent events of an answer (https://html.spec.whatwg.org/multipage/server-sent-events.html). Nothing is sent before
 * the first event, so that an error can still have its own status; after some seconds without one a comment is.
 */
export class EventStream {
  private readonly timer: NodeJS.Timeout;
  private lastSentAt = performance.now();

  constructor(
    private readonly response: Response,
    dialect: keyof typeof COMMENTS,
  ) {
    const comment = COMMENTS[dialect];
    this.timer = setInterval(() => {
      if (performance.now() - this.lastSentAt < SILENCE_MS || response.writableNeedDrain) return;
      this.write(comment);
    }, SILENCE_MS / 2).unref();
    response.once('close', () => clearInterval(this.timer));
  }

  /** Whether the status has been sent. */
  get hasBegun(): boolean {
    return this.response.headersSent;
  }

  /**
   * Sends an event, and waits while the client does not read.
   *
   * @throws ClientGoneError
   */
  async send(data: object): Promise<void> {
    if (this.response.destroyed) throw new ClientGoneError();
    if (this.write(`data: ${JSON.stringify(data)}\n\n`)) return;
    await this.drained();
  }

  /** Sends what ends every complete stream. */
  end(): void {
    clearInterval(this.timer);
    this.response.end('data: [DONE]\n\n');
  }

  /** Ends a stream that is not complete, behind an event that says so. */
  breakOff(data: object): void {
    clearInterval(this.timer);
    this.write(`data: ${JSON.stringify(data)}\n\n`);
    this.response.end();
  }

  private write(text: string): boolean {
    if (!this.hasBegun) {
      const { requestId } = this.response.req as GatehouseRequest;
      this.response.writeHead(200, eventStreamHead(requestId));
    }
    this.lastSentAt = performance.now();
    return this.response.write(text);
  }

  private async drained(): Promise<void> {
    const stop = new AbortController();
    const { signal } = stop;
    await Promise.race([once(this.response, 'drain', { signal }), once(this.response, 'close', { signal })]);
    stop.abort();
    if (this.response.destroyed) throw new ClientGoneError();
  }
}

import type { Response } from 'express';
import { eventStreamHead } from './json-head.js';
import type { GatehouseRequest } from './request.js';

/** The most that a client may leave unread of a stream, in bytes, before it ends. */
const MAXIMUM_UNREAD = 1_048_576;

/** How long a client waits before it asks again for a stream that has ended, in milliseconds. */
const RETRY_MS = 2_000;

/** An answer of server-sent events that goes on after its handler has returned (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export class EventAnswer {
  private response: Response | undefined;

  /** @param closed is called when the client has left, or the stream has been ended */
  constructor(private readonly closed: () => void) {}

  /** Sends the head with the status 200. What is written before is lost. */
  send(response: Response): void {
    const request = response.req as GatehouseRequest;
    request.isStreamed = true;
    if (response.closed || response.destroyed) {
      this.closed();
      return;
    }
    this.response = response;
    response.once('close', this.closed);
    response.writeHead(200, eventStreamHead(request.requestId));
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Sends an event. @param id what the client says as `Last-Event-ID` when it asks again */
  event(name: string, id: string, data: object): void {
    this.write(`event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Sends a comment, which keeps proxies from closing a silent connection. */
  keepAlive(): void {
    this.write(': \n\n');
  }

  /** Ends the stream; clients ask again. */
  end(): void {
    this.response?.end();
  }

  private write(text: string): void {
    const { response } = this;
    if (response === undefined || response.destroyed || response.writableEnded) return;
    response.write(text);
    // Who does not read gets no more of it.
    if (response.writableLength > MAXIMUM_UNREAD) response.destroy();
  }
}

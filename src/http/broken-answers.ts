import type { ServerResponse } from 'node:http';
import type { GatehouseRequest } from './request.js';

/** How long a client may read what it was sent before its connection ends, in milliseconds. */
const WAIT_MS = 2_000;

/** How long a client may keep a connection that the service has ended, in milliseconds. */
const LINGER_MS = 10_000;

/** The waits of a process, in milliseconds. */
export interface BrokenAnswerWaits {
  /** From the last byte to the end of the connection. */
  readonly end: number;
  /** From that end to its close, where the client does not end its side. */
  readonly close: number;
}

/**
 * Ends answers whose head has been sent and that cannot be completed (docs/interface/inference.md#streams), so that no client takes one for
 * complete: without the chunk that ends an answer (RFC 9112, section 7.1.1). Clients forget what they have not read when their connection
 * ends, so it ends two seconds after the last byte, or when the client ends it; and never with a reset, after which not even the
 * operating system would give them what it has received (RFC 9112, section 9.6).
 */
export class BrokenAnswers {
  constructor(private readonly waits: BrokenAnswerWaits = { end: WAIT_MS, close: LINGER_MS }) {}

  /** Ends an answer, of which nothing more may be written. Returns at once. */
  end(response: ServerResponse): void {
    const { socket } = response;
    if (socket === null || socket.destroyed) return;
    const request = response.req as GatehouseRequest;
    // Bytes that nothing has read would make a reset of the close.
    request.resume();
    // The connection stays for a while, the work is done.
    request.heldMemory?.free();
    let timer: NodeJS.Timeout | undefined;
    socket.once('close', () => clearTimeout(timer));
    socket.once('finish', () => {
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(), this.waits.close);
    });
    // Called when all that was written before has left.
    socket.write('', () => {
      if (socket.writable) timer = setTimeout(() => socket.end(), this.waits.end);
    });
  }
}

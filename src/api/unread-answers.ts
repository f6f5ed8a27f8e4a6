import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { GatehouseRequest } from './request.js';

/** How long a client may read nothing of an answer, in milliseconds. */
export interface UnreadLimits {
  /** Of a stream. Without a number, a stream is like any other answer. */
  readonly stream?: number;
  readonly other: number;
}

/** The longest time between two looks at the connections, in milliseconds. */
const LONGEST_INTERVAL = 1_000;

/** How far a client has read. */
interface Progress {
  /** The bytes that the system has taken of the connection's completed writes, and those that it has still to take of the current one. */
  readonly written: number;
  readonly queued: number;
  /** Since when that is so, in milliseconds. */
  readonly since: number;
}

/**
 * Ends the connections of clients that do not read: an answer of which the system can send nothing for too long would occupy memory,
 * and for a stream a connection to its provider, for as long as its client likes (docs/limits.md#unread-answers).
 */
export class UnreadAnswers {
  private readonly unread = new Map<ServerResponse, Progress | undefined>();

  constructor(
    server: Server,
    private readonly limits: UnreadLimits,
  ) {
    const begin = (_: IncomingMessage, response: ServerResponse): void => this.begin(response);
    server.on('request', begin);
    // Emitted instead of `request` for an unknown Expect header.
    server.on('checkExpectation', begin);
    const interval = Math.min(LONGEST_INTERVAL, limits.other, limits.stream ?? limits.other);
    const timer = setInterval(() => this.look(performance.now()), interval).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Ends the connections whose time is over. @param now in milliseconds */
  look(now: number): void {
    for (const [response, before] of this.unread) {
      const { socket } = response;
      if (socket === null || socket.writableLength === 0) {
        if (before !== undefined) this.unread.set(response, undefined);
        continue;
      }
      const progress = progressOf(socket, now);
      if (before?.written !== progress.written || before.queued !== progress.queued) {
        this.unread.set(response, progress);
      } else if (now - before.since >= this.limitOf(response)) {
        // What the system holds of the answer would otherwise be kept until the client reads it.
        socket.resetAndDestroy();
      }
    }
  }

  private begin(response: ServerResponse): void {
    this.unread.set(response, undefined);
    response.once('close', () => this.unread.delete(response));
  }

  private limitOf({ req }: ServerResponse): number {
    const { stream, other } = this.limits;
    return (req as GatehouseRequest).isStreamed === true ? (stream ?? other) : other;
  }
}

function progressOf(socket: Socket, now: number): Progress {
  // Node.js itself looks at this, for the idle timeout of sockets: it falls as the system takes parts of a large write.
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly writeQueueSize?: number } | null };
  return { written: socket.bytesWritten - socket.writableLength, queued: handle?.writeQueueSize ?? 0, since: now };
}

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { GatehouseRequest } from './request.js';

/** How long a client may read nothing of an answer, in milliseconds. */
export interface UnreadBounds {
  /** Of a stream. Without a number, a stream is like any other answer. */
  readonly stream?: number;
  readonly other: number;
}

/** The longest time between two looks at the connections, in milliseconds. */
const MAXIMUM_INTERVAL_MS = 1_000;

/** How far a client has read. */
interface Progress {
  /** The bytes that the system has taken of the connection's completed writes, and those that it has still to take of the current one. */
  readonly written: number;
  readonly queued: number;
  /** Since when that is so, in milliseconds. */
  readonly since: number;
}

/** What Node.js keeps in a socket for itself. */
interface SocketInternals {
  /** Its own idle timeout looks at this: it falls as the system takes parts of a large write. */
  readonly _handle?: { readonly writeQueueSize?: number } | null;
  /** The response that is being sent. */
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Ends the connections of clients that do not read: an answer of which the system can send nothing for too long would occupy memory,
 * and for a stream a connection to its provider, for as long as its client likes (docs/limits.md#unread-answers). It looks at connections
 * from time to time, so that it takes no time of a request.
 */
export class UnreadAnswers {
  private readonly connections = new Map<Socket, Progress | undefined>();

  constructor(
    server: Server,
    private readonly limits: UnreadBounds,
  ) {
    server.on('connection', (socket) => {
      this.connections.set(socket, undefined);
      socket.once('close', () => this.connections.delete(socket));
    });
    const interval = Math.min(MAXIMUM_INTERVAL_MS, limits.other, limits.stream ?? limits.other);
    const timer = setInterval(() => this.look(performance.now()), interval).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Ends the connections whose time is over. @param now in milliseconds */
  look(now: number): void {
    for (const [socket, before] of this.connections) {
      if (socket.writableLength === 0) {
        if (before !== undefined) this.connections.set(socket, undefined);
        continue;
      }
      const progress = progressOf(socket, now);
      if (before?.written !== progress.written || before.queued !== progress.queued) {
        this.connections.set(socket, progress);
      } else if (now - before.since >= this.limitOf(socket)) {
        // What the system holds of the answer would otherwise be kept until the client reads it.
        socket.resetAndDestroy();
      }
    }
  }

  private limitOf(socket: Socket): number {
    const { stream, other } = this.limits;
    const request = internalsOf(socket)._httpMessage?.req as GatehouseRequest | undefined;
    return request?.isStreamed === true ? (stream ?? other) : other;
  }
}

function progressOf(socket: Socket, now: number): Progress {
  const queued = internalsOf(socket)._handle?.writeQueueSize ?? 0;
  return { written: socket.bytesWritten - socket.writableLength, queued, since: now };
}

function internalsOf(socket: Socket): SocketInternals {
  return socket as unknown as SocketInternals;
}

import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Server options that bound how long a client that sends slowly, or not at all, can occupy a connection. */
export const SLOW_CLIENT_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than the idle timeout of common load balancers (60 s), so that the service does not close a connection that a
  // balancer is about to use.
  keepAliveTimeout: 65_000,
  // How often expired connections are closed. The default of Node.js is 30 s, by which they would be closed too late.
  connectionsCheckingInterval: 1_000,
} as const;

/** The file with the resource limits of the process on Linux. */
const LIMITS_FILE = '/proc/self/limits';

/** The assumed limit of open files on systems without that file. */
const USUAL_OPEN_FILES = 1_024;

/** An upper bound, because idle connections cost memory. */
const MAXIMUM_CONNECTIONS = 10_000;

/**
 * The default limit of client connections: three quarters of the limit of open files, because database connections need
 * files too, and at most 10,000.
 */
export function defaultConnectionLimit(limits: string = limitsOfProcess()): number {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  const openFiles = soft === undefined ? USUAL_OPEN_FILES : Number(soft);
  return Math.min(MAXIMUM_CONNECTIONS, Math.max(1, Math.floor((openFiles * 3) / 4)));
}

function limitsOfProcess(): string {
  return existsSync(LIMITS_FILE) ? readFileSync(LIMITS_FILE, 'utf8') : '';
}

interface ConnectionState {
  readonly unfinished: Set<ServerResponse>;
  /** Called once all requests are answered. */
  afterAnswers?: () => void;
}

/**
 * Bounds the number of connections of a server. When the bound is exceeded, the connection that has been idle for longest is
 * closed, so that unused connections do not keep clients out.
 */
export class ClientConnections {
  private readonly states = new Map<Duplex, ConnectionState>();
  /** The idle connections, the one that has been idle for longest first. */
  private readonly idle = new Set<Duplex>();

  /** @param maximum the maximum number of connections */
  constructor(
    server: Server,
    private readonly maximum: number,
  ) {
    server.on('connection', (socket) => this.open(socket));
    const begin = (request: IncomingMessage, response: ServerResponse): void => this.begin(request, response);
    server.on('request', begin);
    // Emitted instead of `request` for an unknown Expect header.
    server.on('checkExpectation', begin);
  }

  /**
   * Calls a function as soon as all complete requests of a connection are answered; immediately if there are none. Further
   * calls for the same connection are ignored.
   */
  afterAnswers(socket: Duplex, act: () => void): void {
    const state = this.states.get(socket);
    if (state?.afterAnswers !== undefined) return;
    if (state === undefined) act();
    else {
      state.afterAnswers = act;
      this.actWhenAnswered(state);
    }
  }

  private open(socket: Socket): void {
    // Reading the address makes Node.js cache it. A connection that was already reset has no address and cannot be answered;
    // its requests are not processed, because the audit trail would lack the address.
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    this.states.set(socket, { unfinished: new Set() });
    this.idle.add(socket);
    socket.once('close', () => {
      this.states.delete(socket);
      this.idle.delete(socket);
    });
    if (this.states.size <= this.maximum) return;
    const [longestIdle] = this.idle;
    longestIdle?.destroy();
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const state = this.states.get(socket);
    if (state === undefined) return;
    state.unfinished.add(response);
    this.idle.delete(socket);
    response.once('close', () => {
      state.unfinished.delete(response);
      if (state.unfinished.size === 0 && this.states.has(socket)) this.idle.add(socket);
      if (state.afterAnswers !== undefined) this.actWhenAnswered(state);
    });
  }

  private actWhenAnswered(state: ConnectionState): void {
    // An incomplete request will never be completed, because the bytes after it could not be parsed; but it may already have
    // been answered.
    for (const { req, headersSent } of state.unfinished) if (req.complete || headersSent) return;
    const act = state.afterAnswers;
    state.afterAnswers = () => undefined;
    act?.();
  }
}

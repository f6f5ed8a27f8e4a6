import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What is going on on one connection. */
interface ConnectionState {
  /** The answers that are not finished yet. */
  readonly unfinished: Set<ServerResponse>;
  /** What is done once everything that was asked is answered. */
  afterAnswers?: () => void;
}

/**
 * The connections of a server, of which there is a bounded number. Where one more is opened, the one is closed that has
 * been without a request for longest: connections that are not used keep no others out.
 */
export class Connections {
  private readonly states = new Map<Duplex, ConnectionState>();
  /** Those without a request, the one that has been so for longest first. */
  private readonly idle = new Set<Duplex>();

  /** @param maximum how many there may be */
  constructor(
    server: Server,
    private readonly maximum: number,
  ) {
    server.on('connection', (socket) => this.open(socket));
    const begin = (request: IncomingMessage, response: ServerResponse): void => this.begin(request, response);
    server.on('request', begin);
    // Emitted in place of `request`, for an expectation that Node does not know.
    server.on('checkExpectation', begin);
  }

  /**
   * Does something as soon as every request that has arrived whole is answered; at once when there is none. Once for a
   * connection: what comes later is ignored.
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
    // Node remembers the address from here on. A client that has reset the connection already has none, and nobody is
    // left to answer: what it has sent is not done for an unknown address.
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
    // A request that has not arrived whole never will, as what came in its place could not be read; but it may have been
    // answered all the same.
    for (const { req, headersSent } of state.unfinished) if (req.complete || headersSent) return;
    const act = state.afterAnswers;
    state.afterAnswers = () => undefined;
    act?.();
  }
}

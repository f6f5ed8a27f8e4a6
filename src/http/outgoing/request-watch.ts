import type { Socket } from 'node:net';

/** How soon a connection closes that its server had given up before it got a request, in milliseconds from when that was sent. */
const UNREAD_MS = 1_000;

/** The parser of undici for the answers on a connection, as far as it is watched here. */
export interface WatchedParser {
  readonly statusCode: number;
  onHeadersComplete(status: number, upgrade: boolean, shouldKeepAlive: boolean): number;
  onMessageComplete(): number;
}

/** Errors of connections with which requests ended that no server has read. */
const ofUnread = new WeakSet<Error>();

/**
 * Whether a request ended because a connection that had been used before closed within a second of sending it, without a byte of an answer:
 * its server had given the connection up, and has not processed the request (RFC 9110, section 9.2.2), which may be sent again.
 *
 * @param error that of the request
 */
export function wasNeverRead(error: unknown): boolean {
  return error instanceof Error && ofUnread.has(error);
}

/**
 * Notes when requests are sent on a connection, and whether anything of their answers came: undici tells neither.
 *
 * @param now a clock, in milliseconds
 */
export function watchRequests(socket: Socket, parser: WatchedParser, now: () => number): void {
  let answers = 0;
  let isAsking = false;
  let sentAt = 0;
  let readBefore = 0;
  const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean;
  socket.write = (...parameters: unknown[]): boolean => {
    // The first piece of a request.
    if (!isAsking) {
      isAsking = true;
      sentAt = now();
      readBefore = socket.bytesRead;
    }
    return write(...parameters);
  };
  const complete = parser.onMessageComplete.bind(parser);
  parser.onMessageComplete = () => {
    if (parser.statusCode >= 200) {
      answers += 1;
      isAsking = false;
    }
    return complete();
  };
  socket.on('error', (error) => {
    const isUnread = isAsking && answers > 0 && socket.bytesRead === readBefore;
    if (isUnread && now() - sentAt < UNREAD_MS) ofUnread.add(error);
  });
}

/** Another informational status, which undici passes over. */
const PROCESSING = 102;

/**
 * Lets a server send a 100 that nothing has asked for, which is to be passed over like any informational answer (RFC 9110, section 15.2), and
 * for which undici would close the connection.
 */
export function passOverContinue(parser: WatchedParser): void {
  const complete = parser.onHeadersComplete.bind(parser);
  parser.onHeadersComplete = (status, upgrade, shouldKeepAlive) =>
    complete(status === 100 ? PROCESSING : status, upgrade, shouldKeepAlive);
}

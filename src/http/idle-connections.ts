import type { Server } from 'node:http';

/**
 * Closes the connections of a server on which no request has arrived. Called by a timer, which may be late on a busy machine: requests that have
 * arrived meanwhile are read before, so that none of them is lost.
 */
export function closeIdleConnections(server: Server): void {
  // The event loop reads from connections between its timers and what was set to be done immediately by them.
  setImmediate(() => server.closeIdleConnections());
}

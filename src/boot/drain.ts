import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** How long requests in flight may take to finish, in milliseconds. */
export const GRACE_PERIOD_MS = 10_000;

/** Closes a server: idle connections at once, busy ones after their answer, all of them after the grace period. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // An answer that is yet to come tells its client that the connection ends with it.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  server.closeIdleConnections();
  await Promise.race([closed, delay(GRACE_PERIOD_MS, undefined, { ref: false })]);
  server.closeAllConnections();
}

import type { Server } from 'node:http';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** How long requests in flight may take to finish, in milliseconds. */
export const GRACE_PERIOD_MS = 10_000;

/** How long a connection may stay idle meanwhile, in milliseconds: until then its next request is still answered. */
const IDLE_PATIENCE_MS = 2_000;

/**
 * Closes a server: each connection after its next answer, which says so; those without a request after a while, and all
 * of them after the grace period.
 */
export async function drain(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const closed = new Promise<void>((resolve) => {
    // Not the method of an HTTP server: that cuts connections which look idle, and on which a request may be on its way.
    net.Server.prototype.close.call(server, () => resolve());
  });
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_PATIENCE_MS);
  await Promise.race([closed, delay(GRACE_PERIOD_MS, undefined, { ref: false })]);
  clearInterval(sweep);
  server.closeAllConnections();
}

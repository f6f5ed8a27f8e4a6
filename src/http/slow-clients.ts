import type { Server } from 'node:http';

/** How often connections are looked through for those whose time is over, in milliseconds; Node does so every 30 s. */
export const SLOW_CLIENTS_CHECK_MS = 1_000;

/** Bounds what a client that sends slowly, or not at all, can hold on to. */
export function limitSlowClients(server: Server): void {
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  // Longer than the idle time of common balancers (60 s), so that it is never us who close a connection in use.
  server.keepAliveTimeout = 65_000;
}

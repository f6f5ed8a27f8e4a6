import type { Server } from 'node:http';

/** Bounds what a client that sends slowly, or not at all, can hold on to. */
export function limitSlowClients(server: Server): void {
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  // Longer than the idle time of common balancers (60 s), so that it is never us who close a connection in use.
  server.keepAliveTimeout = 65_000;
}

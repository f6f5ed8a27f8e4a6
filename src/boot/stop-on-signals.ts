import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import type { OpenDatabase } from '../database/open-database.js';
import { Readiness } from '../http/health/readiness.js';
import type { ServiceLogger } from '../http/logging/service-logger.js';

/** How long requests in flight may take to finish, in milliseconds. */
const GRACE_PERIOD_MS = 10_000;

/** Stops the service when it is asked to: requests in flight are finished, new connections refused, exit code 0. */
export function stopOnSignals(application: INestApplication, database: OpenDatabase, logger: ServiceLogger): void {
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stopping ??= stop(application, database, logger, signal);
    });
  }
  void database.gone.then(() => {
    if (stopping !== undefined) return;
    // Whoever runs the process starts it anew; without a database it would only answer errors.
    logger.fatal('the embedded PostgreSQL cannot be kept running');
    process.exit(1);
  });
}

async function stop(
  application: INestApplication,
  database: OpenDatabase,
  logger: ServiceLogger,
  signal: string,
): Promise<void> {
  logger.event('stopping', { signal });
  application.get(Readiness).stop();
  await drain(application.getHttpServer() as Server);
  await application.close();
  await database.close();
  logger.event('stopped');
  process.exit(0);
}

/** Closes the server: idle connections at once, busy ones after their answer, all of them after the grace period. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // An answer that is yet to come tells its client that the connection ends with it.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  server.closeIdleConnections();
  await Promise.race([closed, delay(GRACE_PERIOD_MS, undefined, { ref: false })]);
  server.closeAllConnections();
}

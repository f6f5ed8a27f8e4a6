import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import type { ProcessContext } from '../app.module.js';
import { createApplication } from '../app.setup.js';
import { Readiness } from '../http/health/readiness.js';
import { AuditHeadLogService } from '../modules/audit/audit-head-log.service.js';
import { CannotListen } from './cannot-listen.js';
import { drain } from './drain.js';
import { listenForMetrics } from './listen-for-metrics.js';
import type { Closable } from './shutdown.js';

/** How long what the application has opened may take to close, in milliseconds: a database may not answer any more. */
const CLOSING_PATIENCE_MS = 4_000;

/** An application of this process that answers requests. */
export interface ListeningApplication extends Closable {
  readonly port: number;
}

/**
 * Puts the application together and lets it answer.
 *
 * @param prepare sees to what has to be there before the first request
 * @throws CannotListen when the configured address is not to be had
 */
export async function startListening(
  context: ProcessContext,
  prepare?: (application: INestApplication) => Promise<void>,
): Promise<ListeningApplication> {
  const { port, host } = context.environment;
  const application = await createApplication(context);
  const server = application.getHttpServer() as Server;
  try {
    await prepare?.(application);
    // Has the log say at once, and not with the first request, why the process is not ready.
    await application.get(Readiness).check();
    await listenForMetrics(application);
    await application.listen(port, host).catch((error: unknown) => {
      throw CannotListen.because(error, host, port);
    });
  } catch (error) {
    // What it has opened would keep the process alive.
    await application.close();
    throw error;
  }
  application.get(AuditHeadLogService).start();
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      application.get(Readiness).stop();
      await drain(server);
      await Promise.race([application.close(), delay(CLOSING_PATIENCE_MS, undefined, { ref: false })]);
    },
  };
}

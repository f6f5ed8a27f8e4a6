import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import type { ProcessContext } from '../app.module.js';
import { createApplication } from '../app.setup.js';
import { closeIdleConnections } from '../http/idle-connections.js';
import { Readiness } from '../http/health/readiness.js';
import { AlertDeliveryService } from '../modules/alerts/delivery/alert-delivery.service.js';
import { AlertEvaluationService } from '../modules/alerts/evaluation/alert-evaluation.service.js';
import { AuditHeadLogService } from '../modules/audit/audit-head-log.service.js';
import { SigningKeys } from '../modules/federation/signing/signing-keys.service.js';
import { ExpiredReservationsService } from '../modules/generations/expired-reservations.service.js';
import { GenerationPartitionsService } from '../modules/generations/generation-partitions.service.js';
import { ConfigurationReconciler } from '../modules/configuration/reconciliation/configuration-reconciler.service.js';
import { ManagedObjectsGauge } from '../modules/configuration/reconciliation/managed-objects-gauge.service.js';
import { UsageRollUpService } from '../modules/usage/totals/usage-roll-up.service.js';
import { InstallationService, type NewOrganization } from '../modules/installation/installation.service.js';
import { OpenExchanges } from '../modules/inference/pipeline/open-exchanges.js';
import { DeliveryService } from '../modules/observability/delivery/sending/delivery.service.js';
import { OutboxUpkeep } from '../modules/observability/delivery/outbox/outbox-upkeep.service.js';
import { ConnectionsService } from '../modules/providers/connections/connections.service.js';
import { SyncJobsWorker } from '../modules/scim/sync-jobs/sync-jobs.worker.js';
import { MetricsServer } from '../http/metrics/metrics-server.js';
import type { Metrics } from '../telemetry/metrics/metrics.js';
import { metricsOf } from '../telemetry/metrics/metrics-setup.js';
import { firstSignInLink } from './first-sign-in-link.js';
import type { Closable } from './shutdown.js';
import { CannotListen } from './start-up-error.js';

/** How long what is left of the requests of inference may take to be charged and to end with an error, in milliseconds. */
const END_TIMEOUT_MS = 5_000;

/**
 * How often idle connections are closed during a shutdown, in milliseconds. Requests that arrive on them before are still
 * answered.
 */
const IDLE_SWEEP_MS = 2_000;

/**
 * How long a shutdown waits for the database connections to close, in milliseconds, because the database may not respond.
 */
const CLOSE_TIMEOUT_MS = 4_000;

/** The running service. */
export interface RunningService extends Closable {
  readonly port: number;
  /** Whether this start created the first organization. */
  readonly createdOrganization: boolean;
  /** The path of the link that signs the first administrator in, once; null where this start made none. */
  readonly signInPath: string | null;
  /** Undefined where they are not enabled. */
  readonly metrics: Metrics | undefined;
  /**
   * Says that the process is not ready, goes on taking connections for SHUTDOWN_DELAY_MS unless it was stopped from its terminal, lets the
   * requests in progress finish for SHUTDOWN_DRAIN_TIMEOUT_MS, ends what is left, and resolves when everything is closed.
   */
  close(): Promise<void>;
}

/**
 * Creates the application and, in an empty database, the first organization; then listens.
 *
 * @param context the configuration, and the database
 * @param handOver gives the key of the first organization to the operator; if it fails, the creation is rolled back. Without it no key is
 *   made
 * @param stopped says which signal the process is stopped with
 * @throws CannotListen when the configured address cannot be used
 */
export async function startService(
  context: ProcessContext,
  handOver: ((organization: NewOrganization) => Promise<void>) | undefined,
  stopped: { readonly signal: NodeJS.Signals | undefined },
): Promise<RunningService> {
  const { port, host } = context.environment;
  const application = await createApplication(context);
  const server = application.getHttpServer() as Server;
  let createdOrganization: boolean;
  let signInPath: string | null;
  try {
    createdOrganization = await application.get(InstallationService).ensure(handOver);
    signInPath = createdOrganization ? await firstSignInLink(application, context.environment) : null;
    // After the first start has loaded its catalog, which has the providers.
    await application.get(ConnectionsService).warnOfUselessVariables();
    // Logs why the process is not ready at the start, and not only with the first health check.
    await application.get(Readiness).check();
    await application.get(GenerationPartitionsService).start();
    await application.get(ExpiredReservationsService).start();
    application.get(UsageRollUpService).start();
    application.get(OutboxUpkeep).start();
    application.get(DeliveryService).start();
    application.get(AlertEvaluationService).start();
    application.get(AlertDeliveryService).start();
    application.get(SigningKeys).start();
    application.get(SyncJobsWorker).start();
    application.get(ConfigurationReconciler).start();
    application.get(ManagedObjectsGauge).start();
    await listenForMetrics(application, context);
    await application.listen(port, host).catch((error: unknown) => {
      throw CannotListen.because(error, host, port);
    });
  } catch (error) {
    // Otherwise open connections would keep the process alive.
    await application.close();
    throw error;
  }
  application.get(AuditHeadLogService).start();
  return {
    port: (server.address() as AddressInfo).port,
    createdOrganization,
    signInPath,
    metrics: metricsOf(application),
    async close() {
      application.get(Readiness).stop();
      const { shutdownDelayMs, shutdownDrainTimeoutMs } = context.environment;
      closeConnectionsAfterAnswers(server);
      // A load balancer needs a moment to notice; a person who presses Ctrl+C does not.
      if (stopped.signal === 'SIGTERM') await delay(shutdownDelayMs);
      await drain(server, application.get(OpenExchanges), shutdownDrainTimeoutMs);
      await application.get(DeliveryService).stop();
      await Promise.race([application.close(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** @throws CannotListen when the address of METRICS_HOST and METRICS_PORT cannot be used */
async function listenForMetrics(application: INestApplication, { environment }: ProcessContext): Promise<void> {
  const { metricsPort, metricsHost } = environment;
  if (metricsPort === undefined) return;
  try {
    await application.get(MetricsServer).listen();
  } catch (error) {
    throw CannotListen.because(error, metricsHost, metricsPort, 'METRICS_');
  }
}

/** Each connection ends after its next answer, which has `Connection: close`. */
function closeConnectionsAfterAnswers(server: Server): void {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
}

/**
 * Closes a server: idle connections at regular intervals, and the others after their answers. What is left of the requests of inference
 * after the time limit is charged and ends with an error, and the rest is cut.
 *
 * @param longestMs in milliseconds
 */
async function drain(server: Server, exchanges: OpenExchanges, longestMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    // Not http.Server.close, which closes idle connections immediately although a request may already be on its way.
    net.Server.prototype.close.call(server, () => resolve());
  });
  const sweep = setInterval(() => closeIdleConnections(server), IDLE_SWEEP_MS);
  const finished = closed.then(() => exchanges.ended());
  await Promise.race([finished, delay(longestMs, undefined, { ref: false })]);
  exchanges.stop();
  closeIdleConnections(server);
  await Promise.race([finished, delay(END_TIMEOUT_MS, undefined, { ref: false })]);
  clearInterval(sweep);
  server.closeAllConnections();
}

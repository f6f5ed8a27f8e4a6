import cluster from 'node:cluster';
import type { Environment } from '../../config/environment.js';
import { type OpenDatabase, openDatabase } from '../../persistence/open-database.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { hasMetrics } from '../../telemetry/metrics/has-metrics.js';
import { withEncryptionKey } from '../load-environment.js';
import { showAddresses } from '../operator-messages.js';
import type { Shutdown } from '../shutdown.js';
import { surviveConnectionErrors } from '../unhandled-errors.js';
import { heapOfWorker } from './heap-of-worker.js';
import { sharedOutput } from './shared-output.js';
import { WorkerProcess } from './worker-process.js';
import { Workers } from './workers.js';

/**
 * Runs the service in WORKERS processes that share the port, each a replica towards the database. This one starts them and the embedded
 * server, accepts their connections, and says for all of them where the service is.
 *
 * @param shutdown stops the workers, and then the embedded server
 */
export async function runPrimary(configured: Environment, shutdown: Shutdown): Promise<void> {
  const logger = new ServiceLogger(configured.logLevel, sharedOutput());
  shutdown.logTo(logger);
  // Such as that of standard output: the workers go on.
  surviveConnectionErrors(logger, () => undefined);
  const database = await shutdown.open(openDatabase(configured, 'own', (message) => logger.event(message)));
  const environment = await withEncryptionKey(configured, database);
  const options = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
  cluster.setupPrimary({ execArgv: [...process.execArgv, ...heapOfWorker(configured.workers, options)] });
  if (hasMetrics(configured)) await gatherMetrics();
  const variables = variablesOfWorkers(configured, environment, database);
  const launch = (): WorkerProcess => WorkerProcess.launch(variables);
  const workers = new Workers(configured.workers, launch, shutdown, logger);
  await shutdown.open(Promise.resolve(workers));
  const listening = await workers.start();
  shutdown.onLoss(database.exited, logger, 'the embedded PostgreSQL cannot be kept running');
  showAddresses(environment, listening);
}

/** Lets whichever worker is scraped answer for all of them. */
async function gatherMetrics(): Promise<void> {
  const { GatheredMetrics } = await import('./gathered-metrics.js');
  new GatheredMetrics().listen();
}

/** A worker finds an embedded server as a replica finds its database, with the generated key. */
function variablesOfWorkers(
  configured: Environment,
  { encryptionKeys }: Environment,
  database: OpenDatabase,
): Record<string, string> {
  const variables = { WORKERS: String(configured.workers) };
  if (configured.databaseUrl !== undefined) return variables;
  const urls = { DATABASE_URL: database.url, MIGRATION_DATABASE_URL: database.migrationUrl };
  if (configured.encryptionKeys.length > 0) return { ...variables, ...urls };
  return { ...variables, ...urls, ENCRYPTION_KEY: encryptionKeys.map((key) => key.toString('base64')).join(',') };
}

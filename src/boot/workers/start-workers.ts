import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { AppModule, type ProcessContext } from '../../app.module.js';
import { Supervisor } from '../../database/embedded/supervisor.js';
import { hasMetrics } from '../../http/metrics/metrics-providers.js';
import { InstallationService } from '../../modules/installation/installation.service.js';
import { showFirstKey } from '../announcement.js';
import type { RunningService } from '../running-service.js';
import { WorkerProcess } from './worker-process.js';

/**
 * The service in several processes that share one port. This one accepts connections and hands them out, keeps the
 * others running and counts for all of them where there is no Redis; the others run the application and nothing else.
 *
 * @throws WorkerFailed when one cannot start
 */
export async function startWorkers(context: ProcessContext): Promise<RunningService> {
  const created = await install(context);
  cluster.setupPrimary({ exec: fileURLToPath(new URL('worker.js', import.meta.url)) });
  // Answers the limiters of the workers.
  new RateLimiterClusterMaster();
  if (hasMetrics(context.environment)) await gatherMetrics();
  const names = Array.from({ length: context.environment.workers }, (_, index) => `Worker ${index + 1}`);
  const launch = async (name: string): Promise<WorkerProcess> => {
    const worker = await WorkerProcess.launch(variablesOf(context));
    context.logger.event(`${name} listens`, { process_id: worker.processId });
    return worker;
  };
  const workers = await allOrNone(names.map(launch));
  // Each supervisor listens to the end of this process.
  process.setMaxListeners(process.getMaxListeners() + workers.length);
  const log = (line: string): void => context.logger.warn(line);
  const supervisors = names.map((name, index) => new Supervisor(workers[index]!, () => launch(name), log, name));
  return {
    port: workers[0]!.port,
    created,
    gone: Promise.race(supervisors.map(({ finished }) => finished)),
    async close() {
      await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
    },
  };
}

/** What a first start makes is made here, once, before anybody answers. */
async function install({ environment, databaseUrl, logger }: ProcessContext): Promise<boolean> {
  const module = AppModule.with({ environment, databaseUrl, logger });
  const application = await NestFactory.createApplicationContext(module, { logger, abortOnError: false });
  try {
    return await application.get(InstallationService).ensure(showFirstKey);
  } finally {
    await application.close();
  }
}

/** Lets whichever worker is scraped answer for all of them. */
async function gatherMetrics(): Promise<void> {
  const { GatheredMetrics } = await import('./gathered-metrics.js');
  new GatheredMetrics().listen();
}

/** A worker finds a database and keys in its environment, and so starts and looks for none itself. */
function variablesOf({ environment, databaseUrl }: ProcessContext): Record<string, string> {
  const keys = environment.encryptionKeys.map((key) => key.toString('base64'));
  return { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: keys.join(',') };
}

/** Where one does not start, those that did are stopped. */
async function allOrNone(launches: readonly Promise<WorkerProcess>[]): Promise<WorkerProcess[]> {
  const outcomes = await Promise.allSettled(launches);
  const started = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure === undefined) return started;
  await Promise.all(started.map((worker) => worker.stop()));
  throw failure.reason;
}

import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { AppModule, type ProcessContext } from '../../app.module.js';
import { Supervisor } from '../../database/embedded/supervisor.js';
import { InstallationService, type NewOrganization } from '../../modules/installation/installation.service.js';
import type { RunningService } from '../running-service.js';
import { WorkerProcess } from './worker-process.js';

/**
 * The service in several processes that share one port. This one accepts connections and hands them out, keeps the
 * others running and counts for all of them where there is no Redis; the others run the application and nothing else.
 *
 * @throws WorkerFailed when one cannot start
 */
export async function startWorkers(context: ProcessContext): Promise<RunningService> {
  const made = await install(context);
  cluster.setupPrimary({ exec: fileURLToPath(new URL('worker.js', import.meta.url)) });
  // Answers the limiters of the workers.
  new RateLimiterClusterMaster();
  const launch = (): Promise<WorkerProcess> => WorkerProcess.launch(variablesOf(context));
  const workers = await launchAll(context.environment.workers, launch);
  // Each supervisor listens to the end of this process.
  process.setMaxListeners(process.getMaxListeners() + workers.length);
  const log = (line: string): void => context.logger.warn(line);
  const supervisors = workers.map((worker, index) => new Supervisor(worker, launch, log, `Worker ${index + 1}`));
  return {
    port: workers[0]!.port,
    made,
    gone: Promise.race(supervisors.map(({ finished }) => finished)),
    async close() {
      await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
    },
  };
}

/** What a first start makes is made here, once, before anybody answers. */
async function install({ environment, databaseUrl, logger }: ProcessContext): Promise<NewOrganization | undefined> {
  const module = AppModule.with({ environment, databaseUrl, logger });
  const application = await NestFactory.createApplicationContext(module, { logger, abortOnError: false });
  try {
    return await application.get(InstallationService).ensure();
  } finally {
    await application.close();
  }
}

/** A worker finds a database and keys in its environment, and so starts and looks for none itself. */
function variablesOf({ environment, databaseUrl }: ProcessContext): Record<string, string> {
  const keys = environment.encryptionKeys.map((key) => key.toString('base64'));
  return { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: keys.join(',') };
}

/** All of them or none. */
async function launchAll(count: number, launch: () => Promise<WorkerProcess>): Promise<WorkerProcess[]> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, launch));
  const started = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure === undefined) return started;
  await Promise.all(started.map((worker) => worker.stop()));
  throw failure.reason;
}

import cluster from 'node:cluster';
import type { Environment } from '../config/environment.js';
import { loadEnvironment } from './load-environment.js';
import type { Shutdown } from './shutdown.js';
import { reportStartUpError } from './start-up-error.js';

/**
 * Starts the service in this process, or in WORKERS of them that this one starts (docs/scaling.md#workers). If it cannot start, it says why
 * on standard error, and the exit code is 1.
 *
 * @param shutdown closes it again
 */
export async function start(shutdown: Shutdown): Promise<void> {
  try {
    const environment = loadEnvironment({ isWorker: cluster.isWorker });
    const run = await partOfThisProcess(environment);
    await run(environment, shutdown);
  } catch (error) {
    // A shutdown closes resources that the start may still use, which makes the start fail.
    if (!shutdown.hasBegun) reportStartUpError(error);
    await shutdown.close();
    // Its channel to the process that started it would keep it.
    if (cluster.isWorker) process.exit();
  }
}

/** Loads what this process has to do, and nothing else: a process that starts others needs no application. */
async function partOfThisProcess({
  workers,
}: Environment): Promise<(environment: Environment, shutdown: Shutdown) => Promise<void>> {
  if (workers === 1) return (await import('./service.js')).runService;
  if (cluster.isPrimary) return (await import('./workers/primary.js')).runPrimary;
  return (await import('./workers/worker.js')).runWorker;
}

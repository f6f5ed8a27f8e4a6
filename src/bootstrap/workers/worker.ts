import cluster from 'node:cluster';
import type { Environment } from '../../config/environment.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { serve } from '../service.js';
import type { Shutdown } from '../shutdown.js';
import { sharedOutput } from './shared-output.js';
import type { Listening } from './worker-messages.js';

/**
 * Runs one of several processes of the service, with its part of what bounds a process, and tells the one that has started it when it
 * answers. That one says for all of them where the service is, and that it stops.
 */
export async function runWorker(environment: Environment, shutdown: Shutdown): Promise<void> {
  const logger = new ServiceLogger(environment.logLevel, sharedOutput());
  await shutdown.open(Promise.resolve({ close: () => logger.flush() }));
  const worker = cluster.worker!;
  const { port, createdOrganization, signInPath } = await serve(environment, shutdown, logger, worker.id === 1);
  const orphaned = new Promise<void>((resolve) => {
    worker.once('disconnect', () => {
      // Otherwise the process would end here and now, with its streams.
      worker.exitedAfterDisconnect = true;
      resolve();
    });
  });
  shutdown.onLoss(orphaned, logger, 'the process that has started this worker is gone');
  const listening: Listening = { gatehouse: 'listening', port, createdOrganization, signInPath };
  worker.send(listening);
}

import 'reflect-metadata';
import { announce } from './boot/announcement.js';
import { reportBootFailure } from './boot/boot-failure.js';
import { loadEnvironment } from './boot/load-environment.js';
import { Shutdown } from './boot/shutdown.js';
import { startAlone } from './boot/start-alone.js';
import { warnOfTrailOwner } from './boot/warn-of-trail-owner.js';
import { withEncryptionKey } from './boot/with-encryption-key.js';
import { startWorkers } from './boot/workers/start-workers.js';
import { migrate } from './database/migrate.js';
import { openDatabase } from './database/open-database.js';
import { ServiceLogger } from './http/logging/service-logger.js';

const shutdown = new Shutdown();

try {
  const configured = loadEnvironment();
  const logger = new ServiceLogger(configured.logLevel);
  shutdown.onSignals(logger);
  const database = await shutdown.open(openDatabase(configured, 'own', (message) => logger.event(message)));
  const environment = await withEncryptionKey(configured, database);
  await migrate(database.migrationUrl, database.url);
  await warnOfTrailOwner(database.url, logger);
  const start = environment.workers === 1 ? startAlone : startWorkers;
  const service = await shutdown.open(start({ environment, databaseUrl: database.url, logger }));
  shutdown.onLoss(database.gone, logger, 'the embedded PostgreSQL cannot be kept running');
  shutdown.onLoss(service.gone, logger, 'the workers cannot be kept running');
  announce(environment, service);
} catch (error) {
  // On the way out, what is being closed fails whatever still used it.
  if (!shutdown.hasBegun) reportBootFailure(error);
  await shutdown.close();
}

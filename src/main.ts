import 'reflect-metadata';
import { loadEnvironment, withEncryptionKey } from './bootstrap/load-environment.js';
import { showAddresses, showFirstManagementKey, warnIfRoleOwnsAuditTrail } from './bootstrap/operator-messages.js';
import { startService } from './bootstrap/running-service.js';
import { Shutdown } from './bootstrap/shutdown.js';
import { reportStartUpError } from './bootstrap/start-up-error.js';
import { migrate } from './persistence/migrate.js';
import { openDatabase } from './persistence/open-database.js';
import { ServiceLogger } from './telemetry/logging/service-logger.js';

const shutdown = new Shutdown();

try {
  const configured = loadEnvironment();
  const logger = new ServiceLogger(configured.logLevel);
  shutdown.onSignals(logger);
  const database = await shutdown.open(openDatabase(configured, 'own', (message) => logger.event(message)));
  const environment = await withEncryptionKey(configured, database);
  await migrate(database.migrationUrl, database.url);
  await warnIfRoleOwnsAuditTrail(database.url, logger);
  const context = { environment, databaseUrl: database.url, logger };
  const service = await shutdown.open(startService(context, showFirstManagementKey));
  shutdown.onLoss(database.exited, logger, 'the embedded PostgreSQL cannot be kept running');
  showAddresses(environment, service);
} catch (error) {
  // A shutdown closes resources that the start may still use, which makes the start fail.
  if (!shutdown.hasBegun) reportStartUpError(error);
  await shutdown.close();
}

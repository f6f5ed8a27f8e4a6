import 'reflect-metadata';
import { migrate } from '../persistence/migrate.js';
import { openDatabase } from '../persistence/open-database.js';
import { waitForDatabase } from '../persistence/wait-for-database.js';
import { ServiceLogger } from '../telemetry/logging/service-logger.js';
import { handOverFirstManagementKey } from './first-management-key.js';
import { loadEnvironment, withEncryptionKey } from './load-environment.js';
import { showAddresses, warnIfRoleOwnsAuditTrail } from './operator-messages.js';
import { startService } from './running-service.js';
import type { Shutdown } from './shutdown.js';
import { reportStartUpError } from './start-up-error.js';
import { surviveConnectionErrors } from './unhandled-errors.js';

/**
 * Starts the service, with the embedded server if there is no other, and says where it is. If it cannot start, it says why on standard
 * error, and the exit code is 1.
 *
 * @param shutdown closes it again
 */
export async function runService(shutdown: Shutdown): Promise<void> {
  try {
    const configured = loadEnvironment();
    const logger = new ServiceLogger(configured.logLevel);
    shutdown.logTo(logger);
    const database = await shutdown.open(openDatabase(configured, 'own', (message) => logger.event(message)));
    const environment = await withEncryptionKey(configured, database);
    await waitForDatabase(database, environment.databaseWaitMs, (message) => logger.warn(message));
    await migrate(database.migrationUrl, database.url);
    await warnIfRoleOwnsAuditTrail(database.url, logger);
    const context = { environment, databaseUrl: database.url, logger };
    const service = await shutdown.open(
      startService(context, handOverFirstManagementKey(environment.firstManagementKey), shutdown),
    );
    surviveConnectionErrors(logger, () => service.metrics?.unhandledConnectionError());
    shutdown.onLoss(database.exited, logger, 'the embedded PostgreSQL cannot be kept running');
    showAddresses(environment, service);
  } catch (error) {
    // A shutdown closes resources that the start may still use, which makes the start fail.
    if (!shutdown.hasBegun) reportStartUpError(error);
    await shutdown.close();
  }
}

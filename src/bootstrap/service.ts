import 'reflect-metadata';
import type { Environment } from '../config/environment.js';
import { migrate, roleOwningAuditTrail } from '../persistence/migrate.js';
import { openDatabase } from '../persistence/open-database.js';
import { waitForDatabase } from '../persistence/wait-for-database.js';
import { ServiceLogger } from '../telemetry/logging/service-logger.js';
import { handOverFirstManagementKey } from './first-management-key.js';
import { withEncryptionKey } from './load-environment.js';
import { showAddresses } from './operator-messages.js';
import { type RunningService, startService } from './running-service.js';
import type { Shutdown } from './shutdown.js';
import { surviveConnectionErrors } from './unhandled-errors.js';

/**
 * Runs the service in this process, and says where it is.
 *
 * @param shutdown closes it again
 */
export async function runService(environment: Environment, shutdown: Shutdown): Promise<void> {
  const logger = new ServiceLogger(environment.logLevel);
  shutdown.logTo(logger);
  showAddresses(environment, await serve(environment, shutdown, logger));
}

/**
 * Starts the service, with the embedded server if there is no other database.
 *
 * @param saysWarnings whether what all processes of a service find at their start is logged here
 * @returns the service, which answers
 */
export async function serve(
  configured: Environment,
  shutdown: Shutdown,
  logger: ServiceLogger,
  saysWarnings = true,
): Promise<RunningService> {
  const database = await shutdown.open(openDatabase(configured, 'own', (message) => logger.event(message)));
  const environment = await withEncryptionKey(configured, database);
  await waitForDatabase(database, environment.databaseWaitMs, (message) => logger.warn(message));
  await migrate(database.migrationUrl, database.url);
  if (saysWarnings) await warnIfRoleOwnsAuditTrail(database.url, logger);
  const context = { environment, databaseUrl: database.url, logger };
  const service = await shutdown.open(
    startService(context, handOverFirstManagementKey(environment.firstManagementKey), shutdown),
  );
  surviveConnectionErrors(logger, () => service.metrics?.unhandledConnectionError());
  shutdown.onLoss(database.exited, logger, 'the embedded PostgreSQL cannot be kept running');
  return service;
}

/**
 * Logs a warning when the database role of the service could change the audit trail.
 *
 * @param databaseUrl the URL that the service uses
 */
async function warnIfRoleOwnsAuditTrail(databaseUrl: string, logger: ServiceLogger): Promise<void> {
  const role = await roleOwningAuditTrail(databaseUrl);
  if (role === undefined) return;
  logger.warn(
    `The database role ${role} owns the audit trail, or is a superuser, and can change it. Give the service a role of its own ` +
      'in DATABASE_URL, and the owner in MIGRATION_DATABASE_URL (docs/operations.md, Roles of the database).',
  );
}

import { roleThatOwnsTrail } from '../database/service-role.js';
import type { ServiceLogger } from '../http/logging/service-logger.js';

/**
 * Writes one line to the log where the database role of the service could change the audit trail.
 *
 * @param databaseUrl as the service reaches its database
 */
export async function warnOfTrailOwner(databaseUrl: string, logger: ServiceLogger): Promise<void> {
  const role = await roleThatOwnsTrail(databaseUrl);
  if (role === undefined) return;
  logger.warn(
    `The database role ${role} owns the audit trail, or is a superuser, and can change it. Give the service a role of its own ` +
      'in DATABASE_URL, and the owner in MIGRATION_DATABASE_URL (docs/operations.md, Roles of the database).',
  );
}

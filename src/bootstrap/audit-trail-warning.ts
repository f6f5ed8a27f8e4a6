import { roleOwningAuditTrail } from '../persistence/migrate.js';
import type { ServiceLogger } from '../telemetry/logging/service-logger.js';

/**
 * Logs a warning when the database role of the service could change the audit trail.
 *
 * @param databaseUrl the URL that the service uses
 */
export async function warnIfRoleOwnsAuditTrail(databaseUrl: string, logger: ServiceLogger): Promise<void> {
  const role = await roleOwningAuditTrail(databaseUrl);
  if (role === undefined) return;
  logger.warn(
    `The database role ${role} owns the audit trail, or is a superuser, and can change it. Give the service a role of its own ` +
      'in DATABASE_URL, and the owner in MIGRATION_DATABASE_URL (docs/operations.md, Roles of the database).',
  );
}

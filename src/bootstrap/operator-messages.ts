import type { Environment } from '../config/environment.js';
import type { NewOrganization } from '../modules/installation/installation.service.js';
import { roleOwningAuditTrail } from '../persistence/migrate.js';
import type { ServiceLogger } from '../telemetry/logging/service-logger.js';
import type { RunningService } from './running-service.js';

/** The command that creates another management key, for an operator who has lost the first one. */
const CREATE_MANAGEMENT_KEY = 'npm run gatehouse -- management-key';

/**
 * Writes the management key of the first organization to standard output.
 *
 * @returns resolves when the text is written
 * @throws the stream's error when standard output is closed
 */
export function showFirstManagementKey({ managementKey }: NewOrganization): Promise<void> {
  const lines = [
    '',
    'The first organization:',
    `  Management key  ${managementKey}`,
    '                  Keep it now: it is not shown again.',
    '',
  ];
  return new Promise((resolve, reject) => {
    process.stdout.write(lines.join('\n'), (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes the addresses of the service to standard output, as plain lines outside the log. */
export function showAddresses(environment: Environment, { port, createdOrganization }: RunningService): void {
  const host = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(environment.host) ? 'localhost' : environment.host;
  const origin = `http://${host}:${port}`;
  const shown = createdOrganization ? 'shown above' : 'shown at the first start';
  const lines = [
    '',
    'Gatehouse is running.',
    `  API             ${origin}${environment.apiBasePath}`,
    `  Swagger UI      ${origin}/docs`,
    `  Management key  ${shown} (another one: ${CREATE_MANAGEMENT_KEY})`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

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

import type { Environment } from '../config/environment.js';
import type { NewOrganization } from '../modules/installation/installation.service.js';
import type { RunningService } from './running-service.js';

/** How to get another management key, for an operator who has lost the first one. */
const ANOTHER_KEY = 'npm run gatehouse -- management-key';

/**
 * Writes the management key of the first organization to standard output, for the operator.
 *
 * @returns when the line is written
 * @throws what the stream says when nobody reads it
 */
export function showFirstKey({ managementKey }: NewOrganization): Promise<void> {
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

/** Tells the operator where things are. Plain lines for a person, apart from the log. */
export function announce(environment: Environment, { port, created }: RunningService): void {
  const host = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(environment.host) ? 'localhost' : environment.host;
  const origin = `http://${host}:${port}`;
  const lines = [
    '',
    'Gatehouse is running.',
    `  API             ${origin}${environment.apiBasePath}`,
    `  Swagger UI      ${origin}/docs`,
    `  Management key  ${created ? 'shown above' : 'shown at the first start'} (another one: ${ANOTHER_KEY})`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../config/environment.js';
import type { RunningService } from './running-service.js';

/** The program of the command line. */
const COMMAND_LINE = fileURLToPath(new URL('../cli/main.js', import.meta.url));

/** How a command is run where this process runs: with npm, or in an image, which has none. */
function commandOf(name: string): string {
  if (process.env['npm_lifecycle_event'] !== undefined) return `npm run gatehouse -- ${name}`;
  const relative = path.relative(process.cwd(), COMMAND_LINE);
  return `node ${relative.startsWith('..') ? COMMAND_LINE : relative} ${name}`;
}

/** Writes the addresses of the service to standard output, as plain lines outside the log. */
export function showAddresses(
  environment: Environment,
  { port, createdOrganization, signInPath }: Pick<RunningService, 'port' | 'createdOrganization' | 'signInPath'>,
): void {
  const host = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(environment.host) ? 'localhost' : environment.host;
  const origin = `http://${host}:${port}`;
  const lines = [
    '',
    'Gatehouse is running.',
    ...(environment.hasConsole ? [`  Console         ${origin}/console`] : []),
    `  API             ${origin}${environment.apiBasePath}`,
    `  Swagger UI      ${origin}/docs`,
    `  Management key  ${whereaboutsOf(environment, createdOrganization)}`,
    ...signInLines(environment.publicUrl ?? origin, signInPath),
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** How a person signs in. @param path of the link of the first start; null after it */
function signInLines(publicUrl: string, path: string | null): string[] {
  const command = commandOf('sign-in-link');
  return path === null
    ? [`  Sign in         ${publicUrl}/auth/login (without an identity provider: ${command})`]
    : [`  Sign in         ${publicUrl}${path}`, `                  Once, within ten minutes (another one: ${command})`];
}

/** Where the operator finds the first management key, and how to make another one. */
function whereaboutsOf({ firstManagementKey: chosen }: Environment, isNew: boolean): string {
  const command = commandOf('management-key');
  if (!isNew) return `shown at the first start (another one: ${command})`;
  if (chosen === 'none') return `not made yet (${command})`;
  return `${chosen === 'print' ? 'shown above' : `in ${chosen.file}`} (another one: ${command})`;
}

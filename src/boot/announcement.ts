import type { Environment } from '../config/environment.js';
import type { RunningService } from './running-service.js';

/** Tells whoever started the service where things are. Plain lines for a person, apart from the log. */
export function announce(environment: Environment, { port, made }: RunningService): void {
  const host = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(environment.host) ? 'localhost' : environment.host;
  const origin = `http://${host}:${port}`;
  const lines = [
    '',
    'Gatehouse is running.',
    `  API             ${origin}${environment.apiBasePath}`,
    `  Swagger UI      ${origin}/docs`,
    ...(made === undefined
      ? ['  Management key  shown at the first start (another one: npm run gatehouse -- init)']
      : [`  Management key  ${made.managementKey}`, '                  Keep it now: it is not shown again.']),
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

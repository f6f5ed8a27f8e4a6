import type { LogLine, ServiceProcess } from './service-process.js';
import type { Verdict } from './verdict.js';

/**
 * Requires that a service runs, and that its log has no failure of the service itself, also for requests whose answer was not read. That
 * no provider can be reached is none.
 */
export function requireQuietLog(verdict: Verdict, service: ServiceProcess): void {
  const lines = service.logLines;
  const ofProviders = new Set(lines.filter(isOfProviders).map(({ request_id: id }) => id));
  const failures = lines.filter(
    ({ level, status = 0, request_id: id }) =>
      (level === 'error' || level === 'fatal' || status >= 500) && (id === undefined || !ofProviders.has(id)),
  );
  verdict.figure('requests logged', lines.filter(({ message }) => message === 'request').length);
  verdict.expect(failures.length === 0, 'the log tells of no failure', failures.slice(0, 3));
  verdict.expect(service.isRunning, 'the process never exits');
}

function isOfProviders({ failure }: LogLine): boolean {
  return failure?.type === 'ProvidersUnavailable';
}

import { inspect } from 'node:util';
import type { ServiceLogger } from '../telemetry/logging/service-logger.js';
import { maskSecrets } from '../telemetry/logging/secret-mask.js';

/** The codes of system calls on sockets and of look-ups of names that say what has become of a connection. */
const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENOTCONN',
  'ENOTFOUND',
  'EPIPE',
  'EPROTO',
  'ETIMEDOUT',
]);

/** How the codes of undici, of the parser of HTTP and of TLS begin, and those that nodemailer has for connections. */
const CONNECTION_CODE =
  /^(UND_ERR_|HPE_|ERR_SSL_|ERR_TLS_|CERT_|(ERR_STREAM_PREMATURE_CLOSE|ERR_PROXY|ECONNECTION|ESOCKET|ETLS|EDNS)$)/;

/** Whether an error says that a connection has failed, and so nothing of the state of the process. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return CONNECTION_CODES.has(error.code) || CONNECTION_CODE.test(error.code);
}

/**
 * Keeps the process when an error of a connection reaches it that nothing has listened for: it is logged and counted
 * (docs/operations/metrics.md#gatehouseunhandledconnectionerror). Any other error that reaches it ends the process with exit code 1, as it
 * would without this.
 *
 * @param count counts an error of a connection
 */
export function surviveConnectionErrors(logger: ServiceLogger, count: () => void): void {
  process.on('uncaughtException', (error) => {
    if (isConnectionError(error)) {
      count();
      logger.unhandled(error);
      return;
    }
    process.stderr.write(`${maskSecrets(inspect(error))}\n`);
    process.exit(1);
  });
}

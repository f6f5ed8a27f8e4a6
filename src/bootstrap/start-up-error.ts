import {
  EmbeddedPostgresFailed,
  EmbeddedPostgresInUse,
  EmbeddedPostgresUnavailable,
} from '../../packages/embedded-postgres/index.js';
import { ConfigurationError } from '../config/variable-reader.js';
import { InvalidCatalog } from '../modules/catalog/import/invalid-catalog.js';
import { DatabaseReadOnly, DatabaseUnusable } from '../persistence/database-failures.js';
import { FirstManagementKeyNotWritten } from './first-management-key.js';
import { maskSecrets } from '../telemetry/logging/secret-mask.js';
import { UsageError } from './usage-error.js';

/** A worker has ended before it listened. */
export class WorkerCannotStart extends Error {
  /** @param hasSaidWhy whether it has written the reason to standard error, as a service does that cannot start */
  constructor(
    ending: string,
    readonly hasSaidWhy: boolean,
  ) {
    super(`A worker has ended while it started: ${ending}`);
  }
}

/** The service cannot listen on its configured address; the message says why. */
export class CannotListen extends Error {
  /**
   * Explains an error of `server.listen`.
   *
   * @param variables the prefix of the two variables with the address: '' for HOST and PORT
   * @returns the error itself if the address is not known to be the cause
   */
  static because(error: unknown, host: string, port: number, variables = ''): unknown {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const explanation = EXPLANATIONS[String(code)]?.(host, port, variables);
    return explanation === undefined ? error : new CannotListen(explanation, { cause: error });
  }
}

const EXPLANATIONS: Readonly<Record<string, (host: string, port: number, variables: string) => string>> = {
  EADDRINUSE: (host, port, variables) =>
    `Port ${port} of ${host} is taken by another process. Stop that one, or set ${variables}PORT to a port that is free.`,
  EACCES: (host, port, variables) =>
    `This user may not listen on port ${port} of ${host}. Set ${variables}PORT to one above 1023.`,
  EADDRNOTAVAIL: (host, _port, variables) => `${variables}HOST ${host} is not an address of this machine.`,
  ENOTFOUND: (host, _port, variables) => `${variables}HOST ${host} is not the name of any machine.`,
};

/** Errors that the operator can fix. Their message says how; a stack trace would hide it. */
const OPERATOR_ERRORS = [
  CannotListen,
  ConfigurationError,
  DatabaseReadOnly,
  DatabaseUnusable,
  FirstManagementKeyNotWritten,
  EmbeddedPostgresFailed,
  EmbeddedPostgresInUse,
  EmbeddedPostgresUnavailable,
  InvalidCatalog,
  UsageError,
  WorkerCannotStart,
];

/** Writes to standard error why the process cannot continue, without secrets, and sets exit code 1. */
export function reportStartUpError(error: unknown): void {
  process.exitCode = 1;
  if (error instanceof WorkerCannotStart && error.hasSaidWhy) return;
  const isForOperator = OPERATOR_ERRORS.some((type) => error instanceof type);
  const text =
    error instanceof Error ? ((isForOperator ? error.message : error.stack) ?? error.message) : String(error);
  process.stderr.write(`${maskSecrets(text)}\n`);
}

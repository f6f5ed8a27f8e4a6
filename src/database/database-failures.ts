import { errorCode, errorMessage } from './system-error.js';

/** PostgreSQL cannot be reached, or a connection to it has ended or does not answer. */
export class DatabaseUnreachable extends Error {
  /** SQLSTATE or the system's code of the cause, where it has one. */
  readonly code: string | undefined;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = errorCode(options?.cause);
  }

  /** What a connection attempt, or a statement without an answer of PostgreSQL's, has failed with, as one of these. */
  static because(failure: unknown): DatabaseUnreachable {
    if (failure instanceof DatabaseUnreachable) return failure;
    // The error of a name with several addresses has no message of its own.
    const [cause = 'unknown cause'] = [errorMessage(failure), errorCode(failure)].filter((text) => text);
    return new DatabaseUnreachable(`PostgreSQL cannot be reached: ${cause}`, { cause: failure });
  }
}

/** All connections of this process were in use for as long as a request waits for one. */
export class ConnectionsInUse extends Error {
  constructor() {
    super('timeout: all connections to PostgreSQL were in use');
  }
}

/** The server accepts no writes: it is a standby, or was set to read only. Has PostgreSQL's own code for that. */
export class DatabaseReadOnly extends Error {
  readonly code = '25006';

  constructor(options?: ErrorOptions) {
    super(
      'PostgreSQL accepts no writes: it is a standby, or set to read only. Give the address of the primary.',
      options,
    );
  }
}

/**
 * SQLSTATE of what ends a connection, or makes it useless: class 08 (connection exceptions), shutdown and crash of the server,
 * a server that is starting, a database that is dropped, a server that accepts no writes, and a prepared statement that is
 * gone although the driver has prepared it on this connection.
 */
const ENDS_CONNECTION = /^(08...|57P0[1-5]|25006|26000)$/;

/** Whether a connection can be used no more after this failure of a statement. */
export function endsConnection(failure: unknown): boolean {
  if (!isSentByPostgres(failure) || failure.severity !== 'ERROR') return true;
  return ENDS_CONNECTION.test(errorCode(failure) ?? '');
}

/** Whether a statement was refused because the server accepts no writes; nothing of it was done. */
export function isReadOnlyRefusal(failure: unknown): boolean {
  return errorCode(failure) === '25006';
}

/**
 * Whether PostgreSQL says of a named statement that it has another one of this name, or none. The driver counts what it has
 * prepared on each connection, so something in between gives the connection to others as well.
 */
export function isMixedUpStatement(failure: unknown): boolean {
  return ['42P05', '26000'].includes(errorCode(failure) ?? '');
}

/** Whether PostgreSQL has sent this failure: then it is there, whatever it says. */
export function isSentByPostgres(failure: unknown): failure is Error & { readonly severity: unknown } {
  return failure instanceof Error && 'severity' in failure;
}

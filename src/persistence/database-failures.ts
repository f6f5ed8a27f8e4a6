/** PostgreSQL cannot be reached, or a connection to it has ended or does not answer. */
export class DatabaseUnreachable extends Error {
  /** The SQLSTATE or system error code of the cause, if it has one. */
  readonly code: string | undefined;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = errorCode(options?.cause);
  }

  /** Wraps the error of a connection attempt, or of a statement that PostgreSQL did not answer. */
  static because(failure: unknown): DatabaseUnreachable {
    if (failure instanceof DatabaseUnreachable) return failure;
    // The error for a host with several addresses has no message of its own.
    const [cause = 'unknown cause'] = [errorMessage(failure), errorCode(failure)].filter((text) => text);
    return new DatabaseUnreachable(`PostgreSQL cannot be reached: ${cause}`, { cause: failure });
  }
}

/** A process cannot start with its database; the message says why, for the operator. */
export class DatabaseUnusable extends Error {}

/** All connections of this process were in use for the whole time that a request waits for one. */
export class ConnectionsInUse extends Error {
  constructor() {
    super('timeout: all connections to PostgreSQL were in use');
  }
}

/** The server accepts no writes: it is a standby or set to read only. Its code is PostgreSQL's own SQLSTATE for that. */
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
 * SQLSTATEs after which a connection is closed or useless: class 08 (connection exceptions), a server that shuts down, has
 * crashed or is starting, a dropped database, a server that accepts no writes, and a prepared statement that no longer
 * exists although the driver has prepared it on this connection.
 */
const ENDS_CONNECTION = /^(08...|57P0[1-5]|25006|26000)$/;

/** Whether the connection can no longer be used after a statement failed with this error. */
export function endsConnection(failure: unknown): boolean {
  if (!isPostgresError(failure) || failure.severity !== 'ERROR') return true;
  return ENDS_CONNECTION.test(errorCode(failure) ?? '');
}

/** Whether a statement was refused because the server accepts no writes; it has changed nothing. */
export function isReadOnlyRefusal(failure: unknown): boolean {
  return errorCode(failure) === '25006';
}

/**
 * Whether PostgreSQL reports that a prepared statement of this name already exists or does not exist. The driver tracks what
 * it has prepared on each connection, so a pooler in between must be sharing the server connection with other clients.
 */
export function isPreparedStatementConflict(failure: unknown): boolean {
  return ['42P05', '26000'].includes(errorCode(failure) ?? '');
}

/** Whether the error was sent by PostgreSQL, which is then reachable. */
export function isPostgresError(failure: unknown): failure is Error & { readonly severity: unknown } {
  return failure instanceof Error && 'severity' in failure;
}

/**
 * A listener for `error` events of a connection that does nothing: the statement in progress is rejected with the same
 * error. Without any listener Node.js would end the process.
 */
export function ignoreConnectionError(): void {
  // Intentionally empty.
}

/**
 * Returns the `code` of any thrown value (`'ENOENT'`, `'EEXIST'`, a SQLSTATE), or undefined when it has none. Checks the
 * property and not the class, which differs between realms (Jest runs tests in a realm of its own).
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns a message for any thrown value. */
export function errorMessage(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}

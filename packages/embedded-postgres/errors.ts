/**
 * The embedded server cannot be used on this machine or with this configuration, and retrying does not help: unsupported
 * platform, packages not installed, no account to run as, an inaccessible data directory. The message says what is wrong and
 * how to fix it.
 */
export class EmbeddedPostgresUnavailable extends Error {
  constructor(reason: string) {
    super(`The embedded PostgreSQL cannot be used: ${reason}`);
    this.name = 'EmbeddedPostgresUnavailable';
  }
}

/** Another running process owns the server of this data directory and did not release it in time. */
export class EmbeddedPostgresInUse extends Error {
  /**
   * @param dataDirectory the data directory
   * @param ownerProcessId the process that owns it
   */
  constructor(
    readonly dataDirectory: string,
    readonly ownerProcessId: number,
  ) {
    super(
      `The embedded PostgreSQL in ${dataDirectory} is in use by process ${ownerProcessId}. ` +
        'Stop that process, or give this one a data directory (DATA_DIR) or a database (DATABASE_URL) of its own.',
    );
    this.name = 'EmbeddedPostgresInUse';
  }
}

/** PostgreSQL or one of its tools failed. The message ends with its output. */
export class EmbeddedPostgresFailed extends Error {
  /**
   * @param what a sentence without its full stop, e.g. `PostgreSQL did not start (exit code 1)`
   * @param output the output of the program, possibly empty
   */
  constructor(
    what: string,
    readonly output: string,
  ) {
    super(output.trim() === '' ? `${what}.` : `${what}:\n${output.trim()}`);
    this.name = 'EmbeddedPostgresFailed';
  }
}

/**
 * The `code` of any thrown value ('ENOENT', 'EEXIST'), or undefined when it has none. Checks the property and not the class,
 * which differs between realms: Jest runs tests in a realm of its own.
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A message for any thrown value. */
export function errorMessage(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return String(error);
}

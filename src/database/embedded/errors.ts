/**
 * The embedded server cannot be used on this machine or in this place, and trying again will not help: wrong platform,
 * packages not installed, no account to run as, a data directory that account cannot reach. The message says what is
 * wrong and what to do about it.
 */
export class EmbeddedPostgresUnavailable extends Error {
  constructor(reason: string) {
    super(`The embedded PostgreSQL cannot be used: ${reason}`);
    this.name = 'EmbeddedPostgresUnavailable';
  }
}

/** Another live process owns the server of this data directory and did not let go of it in time. */
export class EmbeddedPostgresInUse extends Error {
  /**
   * @param dataDirectory the directory both processes want
   * @param ownerProcessId the process that has it
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

/** PostgreSQL or one of its tools was run and failed. The message ends with what it wrote. */
export class EmbeddedPostgresFailed extends Error {
  /**
   * @param what a sentence without its full stop, e.g. `PostgreSQL did not start (exit code 1)`
   * @param output what the program wrote, possibly nothing
   */
  constructor(
    what: string,
    readonly output: string,
  ) {
    super(output.trim() === '' ? `${what}.` : `${what}:\n${output.trim()}`);
    this.name = 'EmbeddedPostgresFailed';
  }
}

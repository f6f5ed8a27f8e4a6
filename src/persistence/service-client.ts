import pg, { type ClientBase, type QueryConfig, type QueryResult } from 'pg';
import { DatabaseUnreachable } from './database-failures.js';
import { LoopTimeout } from './loop-timeout.js';

/** The configuration of a {@link ServiceClient}. */
export interface ServiceClientConfig extends pg.ClientConfig {
  /**
   * The timeout for opening the connection, in milliseconds, not counting the time in which the event loop was blocked; none
   * by default.
   */
  openingTimeoutMillis?: number;
}

/**
 * A connection to PostgreSQL with a timeout for opening it that does not count the time in which the event loop was blocked.
 */
export class ServiceClient extends pg.Client {
  private readonly openingTimeout: number | undefined;

  constructor(config: ServiceClientConfig) {
    super(config);
    this.openingTimeout = config.openingTimeoutMillis;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    if (this.openingTimeout !== undefined) this.boundOpening(this.openingTimeout);
    if (callback === undefined) return super.connect();
    super.connect(callback);
    return undefined;
  }

  private boundOpening(milliseconds: number): void {
    const timeout = new LoopTimeout(milliseconds, () => {
      this.connection.stream.destroy(new DatabaseUnreachable('PostgreSQL has not accepted a connection in time'));
    });
    const cancel = (): void => timeout.cancel();
    this.once('connect', cancel).once('end', cancel);
  }
}

/**
 * Runs a statement and waits a bounded time for its result. The driver's own promise and `query_timeout` keep every row
 * alive until the next major garbage collection, which costs a tenth of the throughput and 40 MiB (bench/README.md). Its
 * callback and a separate timeout do not.
 *
 * @param milliseconds the longest wait, not counting the time in which the event loop was blocked
 * @throws DatabaseUnreachable when there is no result in time; the connection can then no longer be used
 */
export function boundedQuery<Row extends object>(
  connection: ClientBase,
  query: QueryConfig,
  milliseconds: number,
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const timeout = new LoopTimeout(milliseconds, () =>
      reject(new DatabaseUnreachable('PostgreSQL has not answered in time')),
    );
    // A result that arrives after the timeout is ignored; the caller closes the connection.
    const submitted = new NamedQuery<Row>(query, (error, result) => {
      timeout.cancel();
      if (error) reject(error);
      else resolve(result);
    });
    connection.query(submitted);
  });
}

/** A query that takes its name after it was made, because the driver copies a configuration property by property. */
class NamedQuery<Row extends object> extends pg.Query<Row> {
  name: string | undefined;

  constructor(
    { name, text, values }: QueryConfig,
    callback: (error: Error | null | undefined, result: QueryResult<Row>) => void,
  ) {
    super(text, values, callback);
    this.name = name;
  }
}

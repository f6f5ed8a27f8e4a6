import pg, { type ClientBase, type QueryConfig, type QueryResult } from 'pg';
import { DatabaseUnreachable } from './database-failures.js';
import { LoopTimeout } from '../concurrency/loop-timeout.js';

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
  return boundedResult(connection, milliseconds, (callback) => new NamedQuery<Row>(query, callback));
}

/**
 * Begins a transaction with its first statement, which are sent together: without a `Sync` between them, PostgreSQL skips the
 * statement when the transaction cannot begin.
 *
 * @param beginning the statements that begin the transaction, all of which the connection has prepared
 * @param milliseconds the longest wait, as of {@link boundedQuery}
 * @throws DatabaseUnreachable when there is no result in time; the connection can then no longer be used
 */
export function boundedFirstQuery<Row extends object>(
  connection: ClientBase,
  beginning: readonly PreparedQuery[],
  query: QueryConfig,
  milliseconds: number,
): Promise<QueryResult<Row>> {
  return boundedResult(connection, milliseconds, (callback) => new FirstQuery<Row>(beginning, query, callback));
}

/** A statement that a connection prepares when it runs it for the first time. */
export interface PreparedQuery extends QueryConfig {
  readonly name: string;
}

/** Whether a connection has prepared some statements. */
export function hasPrepared(connection: ClientBase, queries: readonly PreparedQuery[]): boolean {
  const { parsedStatements } = (connection as unknown as ConnectedClient).connection;
  return queries.every(({ name }) => parsedStatements[name] !== undefined);
}

type QueryCallback<Row extends object> = (error: Error | null | undefined, result: QueryResult<Row>) => void;

function boundedResult<Row extends object>(
  connection: ClientBase,
  milliseconds: number,
  queryWith: (callback: QueryCallback<Row>) => NamedQuery<Row>,
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const timeout = new LoopTimeout(milliseconds, () =>
      reject(new DatabaseUnreachable('PostgreSQL has not answered in time')),
    );
    // A result that arrives after the timeout is ignored; the caller closes the connection.
    const submitted = queryWith((error, result) => {
      timeout.cancel();
      if (error) reject(error);
      else resolve(result);
    });
    connection.query(submitted);
  });
}

/** The messages of the extended protocol that are sent here, which the driver's types do not declare. */
interface ProtocolConnection {
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  bind(message: { portal: string; statement: string; values?: readonly unknown[] | undefined }): void;
  describe(message: object): void;
  execute(message: { portal: string; rows: number }): void;
}

interface ConnectedClient {
  readonly connection: ProtocolConnection;
}

/** What PostgreSQL says about the columns of a statement; empty for one that returns no rows. */
type ColumnDescriptions = readonly object[];

const NO_COLUMNS: ColumnDescriptions = [];

/** What the driver's query does, which its types do not declare. */
interface QueryProtocol {
  prepare(connection: ProtocolConnection): void;
  handleRowDescription(message: { fields: ColumnDescriptions }): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: ProtocolConnection): void;
}

const QUERY_PROTOCOL = pg.Query.prototype as unknown as QueryProtocol;

/**
 * The columns of the statements that a connection has prepared. The driver would have PostgreSQL describe them with each run, which takes
 * a tenth of the time of a small statement (docs/adr/0003); they cannot change, because PostgreSQL then refuses to run the statement.
 */
class DescribedStatements {
  private static readonly ofConnections = new WeakMap<ProtocolConnection, DescribedStatements>();
  /** The connection, but for asking for descriptions. */
  readonly undescribed: ProtocolConnection;
  private readonly columns = new Map<string, ColumnDescriptions>();

  private constructor(connection: ProtocolConnection) {
    this.undescribed = Object.create(connection, { describe: { value: () => undefined } }) as ProtocolConnection;
  }

  static of(connection: ProtocolConnection): DescribedStatements {
    let described = this.ofConnections.get(connection);
    if (described === undefined) {
      described = new DescribedStatements(connection);
      this.ofConnections.set(connection, described);
    }
    return described;
  }

  /** @returns undefined for a statement that has not been run, or has no name */
  columnsOf(name: string | undefined): ColumnDescriptions | undefined {
    return name === undefined ? undefined : this.columns.get(name);
  }

  add(name: string, columns: ColumnDescriptions): void {
    this.columns.set(name, columns);
  }
}

/** A query that takes its name after it was made, because the driver copies a configuration property by property. */
class NamedQuery<Row extends object> extends pg.Query<Row> implements QueryProtocol {
  name: string | undefined;
  private described: ColumnDescriptions | undefined;

  constructor({ name, text, values }: QueryConfig, callback: QueryCallback<Row>) {
    super(text, values, callback);
    this.name = name;
  }

  prepare(connection: ProtocolConnection): void {
    const statements = DescribedStatements.of(connection);
    const columns = statements.columnsOf(this.name);
    if (columns !== undefined && columns.length > 0) this.handleRowDescription({ fields: columns });
    QUERY_PROTOCOL.prepare.call(this, columns === undefined ? connection : statements.undescribed);
  }

  handleRowDescription(message: { fields: ColumnDescriptions }): void {
    this.described = message.fields;
    QUERY_PROTOCOL.handleRowDescription.call(this, message);
  }

  handleDataRow(message: unknown): void {
    QUERY_PROTOCOL.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: unknown, connection: ProtocolConnection): void {
    if (this.name !== undefined) DescribedStatements.of(connection).add(this.name, this.described ?? NO_COLUMNS);
    QUERY_PROTOCOL.handleCommandComplete.call(this, message, connection);
  }
}

/** The first query of a transaction, which begins it. */
class FirstQuery<Row extends object> extends NamedQuery<Row> {
  /** Not by the simple protocol, also without a name and values: its messages cannot follow others. */
  readonly queryMode = 'extended';
  private left: number;

  constructor(
    private readonly beginning: readonly PreparedQuery[],
    query: QueryConfig,
    callback: QueryCallback<Row>,
  ) {
    super(query, callback);
    this.left = beginning.length;
  }

  override prepare(connection: ProtocolConnection): void {
    for (const { name, values } of this.beginning) {
      connection.bind({ portal: '', statement: name, values });
      connection.execute({ portal: '', rows: 0 });
    }
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.left === 0) super.handleDataRow(message);
  }

  /** The first commands that complete are those that begin the transaction, whose results are not used. */
  override handleCommandComplete(message: unknown, connection: ProtocolConnection): void {
    if (this.left === 0) super.handleCommandComplete(message, connection);
    else this.left -= 1;
  }
}

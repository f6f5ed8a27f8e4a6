import { Injectable, Optional } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Tracing } from '../http/tracing/tracing.js';
import { poolOf } from './connection-pool.js';
import { LargeTransactions } from './large-transactions.js';
import { LentConnection } from './lent-connection.js';
import { inTransaction } from './transaction.js';

/** A statement that PostgreSQL parses and plans once per connection. */
export interface Statement {
  /** Unique in the service: the name of the prepared statement. */
  readonly name: string;
  readonly text: string;
}

/** What a statement has brought. */
interface Outcome<Row> {
  readonly rows: Row[];
  readonly rowCount: number | null;
}

/** Runs statements by name. */
export abstract class StatementRunner {
  /**
   * @param values one for each parameter of the statement, in order
   * @returns the rows, with columns as the driver reads them
   */
  async rows<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return (await this.run<Row>(statement, values)).rows;
  }

  /** @returns how many rows the statement has written */
  async write(statement: Statement, values: readonly unknown[]): Promise<number> {
    return (await this.run(statement, values)).rowCount ?? 0;
  }

  /** The first row, or undefined when there is none. */
  async first<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, values))[0];
  }

  protected abstract run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Outcome<Row>>;
}

/**
 * Runs statements by name, straight through the connection pool. It saves what a TypeORM query costs over the driver's:
 * building the SQL, parsing and planning it anew, and hydrating entities (docs/adr/0003). Each is a transaction of its own.
 */
@Injectable()
export class Statements extends StatementRunner {
  private readonly pool: Pool;
  private readonly large: LargeTransactions;

  constructor(
    dataSource: DataSource,
    @Optional() private readonly tracing?: Tracing,
  ) {
    super();
    this.pool = poolOf(dataSource);
    this.large = new LargeTransactions(this.pool);
  }

  /**
   * Runs several statements as one transaction: all of it is kept, or nothing. It is tried again when another transaction
   * stands in its way, so the work must not change anything but the database.
   *
   * @param work runs its statements on what it is given; whatever it throws takes everything back
   */
  async transaction<T>(work: (on: StatementRunner) => Promise<T>): Promise<T> {
    return inTransaction(this.pool, (connection) => work(this.within(connection)));
  }

  /**
   * The same for work that is as large as what is there: the members of a group, all that a workspace has. Where the time of
   * a request is not enough for it, it is done again with more (docs/adr/0011).
   */
  async transactionOfAnySize<T>(work: (on: StatementRunner) => Promise<T>): Promise<T> {
    const within = (connection: LentConnection): Promise<T> => work(this.within(connection));
    return this.large.run(() => inTransaction(this.pool, within, 'long'), within);
  }

  /** {@link write} for a statement that is as large as what is there. */
  async writeOfAnySize(statement: Statement, values: readonly unknown[]): Promise<number> {
    const within = (connection: LentConnection): Promise<number> => this.within(connection).write(statement, values);
    return this.large.run(() => LentConnection.with(this.pool, within, 'long'), within);
  }

  /** {@link first} for a statement that is as large as what is there. */
  async firstOfAnySize<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row | undefined> {
    const within = (connection: LentConnection): Promise<Row | undefined> =>
      this.within(connection).first<Row>(statement, values);
    return this.large.run(() => LentConnection.with(this.pool, within, 'long'), within);
  }

  protected run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Outcome<Row>> {
    return LentConnection.with(this.pool, (connection) => runOn<Row>(connection, this.tracing, statement, values));
  }

  private within(connection: LentConnection): StatementRunner {
    return new TransactionStatements(connection, this.tracing);
  }
}

/** Runs the statements of one transaction. */
class TransactionStatements extends StatementRunner {
  constructor(
    private readonly connection: LentConnection,
    private readonly tracing: Tracing | undefined,
  ) {
    super();
  }

  protected run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Outcome<Row>> {
    return runOn(this.connection, this.tracing, statement, values);
  }
}

function runOn<Row extends object>(
  connection: LentConnection,
  tracing: Tracing | undefined,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<Outcome<Row>> {
  // The driver reads the values and keeps none of them.
  const query = { name, text, values: values as unknown[] };
  if (tracing === undefined) return connection.query<Row>(query);
  return tracing.statement(name, () => connection.query<Row>(query));
}

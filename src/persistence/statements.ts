import { Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { BulkPool, poolOf } from './connection-pool.js';
import type { QueryClient } from './lent-client.js';
import {
  type Page,
  type PageRequest,
  type PageStatement,
  type PageValues,
  toPage,
  type ViewedPageValues,
} from './page-statement.js';
import { PooledClient } from './pooled-client.js';
import type { Statement } from './statement.js';
import { DatabaseTimeouts } from './database-timeouts.js';
import { inTransaction, repeatedAfterDeadlock } from './transaction.js';
import { UnitOfWork } from './unit-of-work.js';

interface StatementResult<Row> {
  readonly rows: Row[];
  readonly rowCount: number | null;
}

/** Records the statements of a request in its trace. The tracing module provides the implementation. */
export abstract class StatementTracer {
  /** @param run runs the statement with this name */
  abstract statement<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
}

/** Runs typed statements. */
export abstract class StatementRunner {
  /**
   * @param values one value for each parameter of the statement, in order
   * @returns the rows, with values as the driver reads them
   */
  async rows<Row extends object, Values extends readonly unknown[]>(
    statement: Statement<Row, Values>,
    values: NoInfer<Values>,
  ): Promise<Row[]> {
    return (await this.run<Row>(statement, values)).rows;
  }

  /** @returns the number of rows that the statement has written */
  async write<Values extends readonly unknown[]>(
    statement: Statement<object, Values>,
    values: NoInfer<Values>,
  ): Promise<number> {
    return (await this.run(statement, values)).rowCount ?? 0;
  }

  /** The first row, or undefined when there is none. */
  async first<Row extends object, Values extends readonly unknown[]>(
    statement: Statement<Row, Values>,
    values: NoInfer<Values>,
  ): Promise<Row | undefined> {
    return (await this.run<Row>(statement, values)).rows[0];
  }

  /**
   * The requested page of a list; where the list has a view, searched and sorted as the request says.
   *
   * @param values the parameters of the list's condition
   */
  async page<Item extends object, Values extends readonly unknown[]>(
    statement: PageStatement<Item, Values>,
    values: NoInfer<Values>,
    { limit, offset, search, sort }: PageRequest,
  ): Promise<Page<Item>> {
    if (search !== undefined || sort !== undefined) {
      if (statement.viewed === undefined) throw new Error(`${statement.name} is neither searched nor sorted.`);
      const asked = [...values, limit, offset, ...(search === undefined ? [] : [search])] as ViewedPageValues<Values>;
      return toPage(await this.rows(statement.viewed({ search, sort }), asked));
    }
    return toPage(await this.rows(statement, [...values, limit, offset] as PageValues<Values>));
  }

  protected abstract run<Row extends object>(
    statement: Statement,
    values: readonly unknown[],
  ): Promise<StatementResult<Row>>;
}

/** Runs the statements of one transaction. */
export class Transaction extends StatementRunner {
  constructor(
    private readonly client: QueryClient,
    private readonly tracer: StatementTracer | undefined,
  ) {
    super();
  }

  protected run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<StatementResult<Row>> {
    return runOn(this.client, this.tracer, statement, values);
  }
}

/** Runs statements on the clients of a pool, each in its own transaction or several together in one. */
export class PoolStatements extends StatementRunner {
  constructor(
    private readonly pool: () => Pool,
    private readonly tracer: StatementTracer | undefined,
  ) {
    super();
  }

  /**
   * Runs several statements as one transaction. After a serialization failure or deadlock the transaction is repeated, so
   * the work must have no effects outside the database.
   *
   * @param work runs its statements on the transaction; an error that it throws rolls the transaction back
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const inClient = (client: QueryClient): Promise<T> => work(new Transaction(client, this.tracer));
    const unit = UnitOfWork.current();
    return unit === undefined ? inTransaction(this.pool(), inClient) : unit.part(this.pool(), inClient);
  }

  /** Whether the calling code is part of a {@link unitOfWork} already, as with an Idempotency-Key. */
  get isInUnitOfWork(): boolean {
    return UnitOfWork.current() !== undefined;
  }

  /**
   * Does work whose changes are one transaction, whichever service makes them, together with what is done when it begins and ends (docs/adr/0020).
   * After a serialization failure or deadlock all of it is repeated, so the work must have no effects outside the database.
   *
   * @param begun is done before the first change of the work @param ended is done after the work, with its result
   * @param name what the log calls it
   */
  async unitOfWork<T>(
    work: () => Promise<T>,
    begun: (tx: Transaction) => Promise<void>,
    ended: (tx: Transaction, result: T) => Promise<void>,
    name = 'a unit of work',
  ): Promise<T> {
    const frame = {
      name,
      pool: this.pool(),
      begun: (client: QueryClient) => begun(new Transaction(client, this.tracer)),
      ended: (client: QueryClient, result: T) => ended(new Transaction(client, this.tracer), result),
    };
    return repeatedAfterDeadlock(() => UnitOfWork.run(work, frame));
  }

  protected run<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<StatementResult<Row>> {
    const pool = this.pool();
    const work = (client: QueryClient): Promise<StatementResult<Row>> =>
      runOn<Row>(client, this.tracer, statement, values);
    const unit = UnitOfWork.current();
    if (unit !== undefined && (unit.isOpen || statement.isChange === true)) return unit.part(pool, work);
    // Only a transaction can override limits that a pooler has set on the connection with those of the bulk pool.
    if (DatabaseTimeouts.of(pool).ofRequests !== undefined) return inTransaction(pool, work);
    return repeatedAfterDeadlock(() => PooledClient.with(pool, work));
  }
}

/**
 * Runs prepared statements directly on the connection pool. This avoids what a TypeORM query costs in addition to the
 * driver: building, parsing and planning the SQL every time, and hydrating entities (docs/adr/0003).
 */
@Injectable()
export class Statements extends PoolStatements implements OnApplicationShutdown {
  /** For writes whose size depends on how much data a customer has: a small pool with longer time limits (docs/adr/0011). */
  readonly bulk: PoolStatements;
  private readonly mainPool: Pool;

  constructor(dataSource: DataSource, @Optional() tracer?: StatementTracer) {
    const pool = poolOf(dataSource);
    super(() => pool, tracer);
    this.mainPool = pool;
    this.bulk = new PoolStatements(() => BulkPool.beside(pool).pool, tracer);
  }

  async onApplicationShutdown(): Promise<void> {
    await BulkPool.endBeside(this.mainPool);
  }
}

function runOn<Row extends object>(
  client: QueryClient,
  tracer: StatementTracer | undefined,
  { name, text, isUnprepared = false }: Statement,
  values: readonly unknown[],
): Promise<StatementResult<Row>> {
  // The driver does not modify the values. Not begun with a spread, which would leave garbage to major collections (bench/README.md#start-up-memory-size).
  const query = { name: isUnprepared ? undefined : name, text, values: values as unknown[] };
  if (tracer === undefined) return client.query<Row>(query);
  return tracer.statement(name, () => client.query<Row>(query));
}

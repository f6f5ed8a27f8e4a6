import { Injectable, Optional } from '@nestjs/common';
import type { Pool, QueryResult } from 'pg';
import { DataSource } from 'typeorm';
import { Tracing } from '../http/tracing/tracing.js';
import { poolOf } from './connection-pool.js';
import { queryInTime } from './query-in-time.js';

/** A statement that PostgreSQL parses and plans once per connection. */
export interface Statement {
  /** Unique in the service: the name of the prepared statement. */
  readonly name: string;
  readonly text: string;
}

/**
 * Runs hot statements by name, straight through the connection pool. It saves what a TypeORM query costs over
 * the driver's: building the SQL, parsing and planning it anew, and hydrating entities (docs/adr/0003). Each is a transaction of its own.
 */
@Injectable()
export class Statements {
  private readonly pool: Pool;

  constructor(
    dataSource: DataSource,
    @Optional() private readonly tracing?: Tracing,
  ) {
    this.pool = poolOf(dataSource);
  }

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

  private run<Row extends object>({ name, text }: Statement, values: readonly unknown[]): Promise<QueryResult<Row>> {
    const query = { name, text, values: [...values] };
    if (this.tracing === undefined) return queryInTime<Row>(this.pool, query);
    return this.tracing.statement(name, () => queryInTime<Row>(this.pool, query));
  }
}

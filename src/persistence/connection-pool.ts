import { Injectable } from '@nestjs/common';
import pg, { type Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { ConnectionQueue } from './connection-queue.js';
import { ignoreConnectionError } from './database-failures.js';
import { DATABASE_LOGS, type DatabaseLog } from './lent-client.js';
import { OnePerPool } from './one-per-pool.js';
import { DatabaseTimeouts } from './database-timeouts.js';

/** The connection pool of a data source. */
export function poolOf(dataSource: DataSource): Pool {
  // TypeORM's postgres driver stores its pg pool in this property, which its types do not declare.
  return (dataSource.driver as unknown as { master: Pool }).master;
}

/** Usage of the connection pool, for metrics. */
@Injectable()
export class ConnectionPool {
  constructor(private readonly dataSource: DataSource) {}

  get open(): number {
    return poolOf(this.dataSource).totalCount;
  }

  /** The number of open connections that are not in use. */
  get idle(): number {
    return poolOf(this.dataSource).idleCount;
  }

  get maximum(): number {
    return poolOf(this.dataSource).options.max;
  }

  /** The number of statements and transactions that wait for a connection. */
  get waiting(): number {
    const pool = poolOf(this.dataSource);
    return pool.waitingCount + ConnectionQueue.of(pool).length;
  }
}

/** How long an idle connection of the bulk pool stays open, in milliseconds. Short, because large writes are rare. */
const IDLE_BULK_CONNECTION_MS = 10_000;

/** The maximum size of the bulk pool, as a share of the main pool's. */
const BULK_POOL_SHARE = 0.5;

/**
 * A second connection pool, for writes whose size depends on how much data a customer has (docs/adr/0011). Its statements
 * have longer time limits, and its size bounds how many of them run at once. It opens connections on demand.
 */
export class BulkPool {
  private static readonly besidePools = new OnePerPool((pool) => new BulkPool(pool));

  readonly pool: Pool;

  private constructor(main: Pool) {
    const limits = DatabaseTimeouts.of(main).forBulk();
    this.pool = new pg.Pool({
      ...main.options,
      max: Math.max(1, Math.floor(main.options.max * BULK_POOL_SHARE)),
      idleTimeoutMillis: IDLE_BULK_CONNECTION_MS,
      statement_timeout: limits.statement,
      lock_timeout: limits.lock,
    });
    DatabaseTimeouts.set(this.pool, limits);
    DATABASE_LOGS.set(this.pool, DATABASE_LOGS.of(main));
    this.pool.on('error', ignoreConnectionError);
  }

  /** Returns the bulk pool of a main pool; there is exactly one. */
  static beside(main: Pool): BulkPool {
    return this.besidePools.of(main);
  }

  /** Closes the bulk pool of a main pool, if one was created. */
  static async endBeside(main: Pool): Promise<void> {
    await this.besidePools.forget(main)?.pool.end();
  }
}

/**
 * Opens the connection pool of the service. The connection timeout applies only afterwards: the first connection is opened
 * while the process is busy starting, and no caller waits for it.
 *
 * @param log of the pool
 */
export async function openDataSource(options: DataSourceOptions | undefined, log: DatabaseLog): Promise<DataSource> {
  const dataSource = await new DataSource(options!).initialize();
  const pool = poolOf(dataSource);
  pool.options.connectionTimeoutMillis = DatabaseTimeouts.of(pool).opening;
  DATABASE_LOGS.set(pool, log);
  return dataSource;
}

import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { ConnectionQueue } from './connection-queue.js';

/** The connection pool of a data source. */
export function poolOf(dataSource: DataSource): Pool {
  // The driver of a `postgres` data source keeps its pg pool here; TypeORM does not type it.
  return (dataSource.driver as unknown as { master: Pool }).master;
}

/** How busy the connection pool is. */
@Injectable()
export class ConnectionPool {
  constructor(private readonly dataSource: DataSource) {}

  /** Connections that are open. */
  get open(): number {
    return poolOf(this.dataSource).totalCount;
  }

  /** Those of them that nobody uses. */
  get idle(): number {
    return poolOf(this.dataSource).idleCount;
  }

  /** How many may be open. */
  get maximum(): number {
    return poolOf(this.dataSource).options.max;
  }

  /** Statements that wait for a connection. */
  get waiting(): number {
    const pool = poolOf(this.dataSource);
    return pool.waitingCount + ConnectionQueue.of(pool).length;
  }
}

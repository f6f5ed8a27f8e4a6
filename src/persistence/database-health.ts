import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from './connection-pool.js';
import { DatabaseReadOnly, isReadOnlyRefusal } from './database-failures.js';
import { PooledClient } from './pooled-client.js';
import { PreparedStatementSupport } from './prepared-statement-support.js';

/** The state of the database as this process sees it. */
export type DatabaseState = 'up' | 'down' | 'read_only' | 'no_prepared_statements';

/** Also true on a standby. Not a prepared statement, so that it works through a pooler without support for them. */
const IS_READ_ONLY = { text: `SELECT current_setting('transaction_read_only')::boolean AS is_read_only` };

/** Checks whether the database can be used. */
@Injectable()
export class DatabaseHealth {
  constructor(private readonly dataSource: DataSource) {}

  /** Checks whether the database answers, accepts writes, and supports prepared statements. */
  async state(): Promise<DatabaseState> {
    const pool = poolOf(this.dataSource);
    try {
      await PooledClient.with(pool, refuseReadOnly);
      return (await PreparedStatementSupport.of(pool).isSupported()) ? 'up' : 'no_prepared_statements';
    } catch (error) {
      return isReadOnlyRefusal(error) ? 'read_only' : 'down';
    }
  }
}

async function refuseReadOnly(connection: PooledClient): Promise<void> {
  const { rows } = await connection.query<{ is_read_only: boolean }>(IS_READ_ONLY);
  if (rows[0]?.is_read_only === true) throw new DatabaseReadOnly();
}

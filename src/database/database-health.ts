import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from './connection-pool.js';
import { DatabaseReadOnly, isReadOnlyRefusal } from './database-failures.js';
import { LentConnection } from './lent-connection.js';
import { PreparedStatementSupport } from './prepared-statement-support.js';

/** What the database can do for this process. */
export type DatabaseState = 'up' | 'down' | 'read_only' | 'no_prepared_statements';

/** A standby is read only as well. Without a name: it has to be answered through a pooler that cannot keep one. */
const IS_READ_ONLY = { text: `SELECT current_setting('transaction_read_only')::boolean AS is_read_only` };

/** Finds out whether the database can be worked with. */
@Injectable()
export class DatabaseHealth {
  constructor(private readonly dataSource: DataSource) {}

  /** Asks the database: whether it answers, takes writes, and keeps prepared statements. */
  async state(): Promise<DatabaseState> {
    const pool = poolOf(this.dataSource);
    try {
      await LentConnection.with(pool, refuseReadOnly);
      return (await PreparedStatementSupport.of(pool).isThere()) ? 'up' : 'no_prepared_statements';
    } catch (error) {
      return isReadOnlyRefusal(error) ? 'read_only' : 'down';
    }
  }
}

async function refuseReadOnly(connection: LentConnection): Promise<void> {
  const { rows } = await connection.query<{ is_read_only: boolean }>(IS_READ_ONLY);
  if (rows[0]?.is_read_only === true) throw new DatabaseReadOnly();
}

import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { ignoreConnectionError } from './database-failures.js';
import { poolOf } from './connection-pool.js';
import type { Statement } from './statement.js';
import { StatementRunner, Transaction } from './statements.js';

/** Lifts the time limits of requests for one transaction: a pooler may have set them on the connection. */
const BEGIN_READING = 'BEGIN READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';

/** Time limits for background work, which no request waits for and which may have to wait for other background work. */
const BACKGROUND_TIMEOUTS = "SET LOCAL statement_timeout = '2min'; SET LOCAL lock_timeout = '2min'";

/**
 * Runs statements without the time limits of a request, on connections outside the pool: for commands and the first start.
 * Single statements are read-only and run one at a time. After a connection error the next statement opens a new connection.
 */
@Injectable()
export class BackgroundStatements extends StatementRunner implements OnModuleDestroy {
  private client: pg.Client | undefined;

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async onModuleDestroy(): Promise<void> {
    await this.client?.end();
  }

  /**
   * Runs several statements as one transaction. Each statement may take two minutes.
   *
   * @param work runs its statements on the transaction; an error that it throws rolls the transaction back
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = new pg.Client(poolOf(this.dataSource).options);
    client.on('error', ignoreConnectionError);
    await client.connect();
    try {
      await client.query(`BEGIN; ${BACKGROUND_TIMEOUTS}`);
      const result = await work(new Transaction(client, undefined));
      await client.query('COMMIT');
      return result;
    } finally {
      // Rolls back what is not committed.
      await client.end();
    }
  }

  /** @throws the error from PostgreSQL, or the connection error */
  protected async run<Row extends object>(
    { name, text }: Statement,
    values: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const client = (this.client ??= await this.connect());
    await client.query(BEGIN_READING);
    try {
      const result = await client.query<Row>({ name, text, values: [...values] });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // After a connection error `discard` has already dropped the client.
      if (this.client === client) await client.query('ROLLBACK');
      throw error;
    }
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client(poolOf(this.dataSource).options);
    client.on('error', () => this.discard(client));
    client.on('end', () => this.discard(client));
    await client.connect();
    return client;
  }

  private discard(client: pg.Client): void {
    if (this.client === client) this.client = undefined;
  }
}

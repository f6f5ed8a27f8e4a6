import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { poolOf } from './connection-pool.js';
import { StatementRunner, type Statement } from './statements.js';

/** Ends the limits of requests for one transaction. A pooler may have set them for the connection. */
const BEGIN = 'BEGIN READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';

/**
 * Runs statements that only read, without the time limits of a request and on a connection of its own: for commands that
 * read everything there is. One statement runs at a time. A connection that breaks is replaced by the next statement.
 */
@Injectable()
export class UnlimitedStatements extends StatementRunner implements OnModuleDestroy {
  private client: pg.Client | undefined;

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async onModuleDestroy(): Promise<void> {
    await this.client?.end();
  }

  /** @throws what PostgreSQL answers, or what has broken the connection */
  protected async run<Row extends object>(
    { name, text }: Statement,
    values: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const client = (this.client ??= await this.connect());
    await client.query(BEGIN);
    try {
      const result = await client.query<Row>({ name, text, values: [...values] });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // A connection that has broken was given up when it broke.
      if (this.client === client) await client.query('ROLLBACK');
      throw error;
    }
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client(poolOf(this.dataSource).options);
    client.on('error', () => this.giveUp(client));
    client.on('end', () => this.giveUp(client));
    await client.connect();
    return client;
  }

  private giveUp(client: pg.Client): void {
    if (this.client === client) this.client = undefined;
  }
}

import { createRequire } from 'node:module';
import path from 'node:path';
import type { ReceiverAnswer } from '../../src/modules/observability/delivery/destination-adapter.js';
import type { Received } from '../support/delivery/receiver.js';

interface Session {
  query(query: string, format?: string): string;
  cleanup(): void;
}

/**
 * ClickHouse's engine within this process (the package chdb, 543 MB, which is installed apart), behind the part of its HTTP interface that
 * inserts use.
 */
export class ClickHouseEngine {
  private readonly session: Session;

  /** @param folder where chdb is installed */
  constructor(folder: string) {
    const load = createRequire(path.resolve(folder, 'index.js'));
    const { Session } = load('chdb') as { Session: new () => Session };
    this.session = new Session();
  }

  execute(statement: string): void {
    this.session.query(statement);
  }

  /** @returns the rows of a query */
  rows(query: string): Record<string, unknown>[] {
    const lines = this.session.query(query, 'JSONEachRow').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Does what a request says, with the database and the settings of its address. */
  answer({ path: address, body }: Received): Partial<ReceiverAnswer> {
    const { database, query = '', ...settings } = Object.fromEntries(new URL(address, 'http://localhost').searchParams);
    const written = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`);
    const insert = query.replace(/ FORMAT /, ` SETTINGS ${written.join(', ')} FORMAT `);
    try {
      this.session.query(`USE ${database}`);
      this.session.query(`${insert}\n${body.toString()}`);
      return { status: 200 };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const code = /Code: (\d+)/.exec(message)?.[1] ?? '0';
      return { status: 500, body: message, headers: { 'x-clickhouse-exception-code': code } };
    }
  }

  stop(): void {
    this.session.cleanup();
  }
}

import type pg from 'pg';
import { makeTenant } from '../../../bench/support/tenant.js';
import type { Demonstration } from '../../../src/cli/demo/demonstration.js';
import { migrate } from '../../../src/persistence/migrate.js';
import { PostgresServer, query } from './postgres-server.js';

const TEMPLATE = 'faults_template';

/** A PostgreSQL server, and a database on it with everything that the operations need: every fault gets a copy. */
export class Deployment {
  private constructor(
    readonly postgres: PostgresServer,
    readonly tenant: Demonstration,
  ) {}

  static async create(): Promise<Deployment> {
    const postgres = await PostgresServer.create();
    try {
      const url = await postgres.makeDatabase(TEMPLATE);
      await migrate(url);
      const tenant = await makeTenant({
        url,
        query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => query<Row>(url, text, values),
        close: () => Promise.resolve(),
      });
      return new Deployment(postgres, tenant);
    } catch (error) {
      await postgres.remove();
      throw error;
    }
  }

  /** The password of the server. */
  get password(): string {
    return this.postgres.password;
  }

  /** @returns the URL of a new database with the tenant in it */
  copyDatabase(name: string): Promise<string> {
    return this.postgres.makeDatabase(name, TEMPLATE);
  }

  /** @returns the URL of a new database with nothing in it */
  emptyDatabase(name: string): Promise<string> {
    return this.postgres.makeDatabase(name);
  }
}

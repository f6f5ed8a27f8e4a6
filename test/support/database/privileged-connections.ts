import { DataSource, type QueryRunner } from 'typeorm';
import { connectionOptions } from '../../../src/persistence/connection-options.js';
import type { TestApplication } from '../application/test-application.js';
import pg from 'pg';

/** Does work in one transaction as the owner of the tables, as migrations are run. */
export async function inOwnerTransaction<T>(
  app: TestApplication,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const dataSource = await new DataSource(connectionOptions(app.database.url)).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    const result = await work(runner);
    await runner.commitTransaction();
    return result;
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

/** Changes the database as a superuser does who knows how to keep triggers from firing. @param statements in one text */
export async function runWithoutTriggers(app: TestApplication, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: app.database.url });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    const results = [await client.query(statements)].flat();
    for (const { command, rowCount } of results) {
      if (command !== 'ALTER') expect(rowCount).toBeGreaterThan(0);
    }
  } finally {
    await client.end();
  }
}

import { DataSource, type QueryRunner } from 'typeorm';
import { connectionOptions } from '../../src/database/connection-options.js';
import type { TestApplication } from './test-application.js';

/** Does work in one transaction as the owner of the tables, as migrations are run. */
export async function asOwner<T>(app: TestApplication, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
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

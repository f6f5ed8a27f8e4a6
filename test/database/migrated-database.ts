import { sharedApplication } from '../support/application/shared-application.js';
import { readFileSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../src/persistence/migrations/index.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

export const NAMES = MIGRATIONS.map((migration) => migration.name);

/** The migrations of ce0bbf8b, in place of which there is the baseline. */
export const EARLIER_NAMES = readFileSync('test/database/ce0bbf8b-migrations.txt', 'utf8').trim().split('\n');

/** An application, and databases with and without its schema, one of each kind for a test. */
export function migratedDatabase() {
  const app = sharedApplication({ topic: 'migrated-database' });

  /** The application's own connection. Its database is not changed but by adding rows. */
  const dataSource = (): DataSource => app.application.get(DataSource);

  /** The databases of the test that runs, by what makes them. */
  const databases = new Map<() => Promise<TestDatabase>, Promise<TestDatabase>>();

  afterEach(async () => {
    for (const database of databases.values()) await (await database).drop();
    databases.clear();
  });

  /** The database that a test has of some make: the same one for the whole test. @returns its URL */
  const urlOf = async (create: () => Promise<TestDatabase>): Promise<string> => {
    if (!databases.has(create)) databases.set(create, create());
    return (await databases.get(create)!).url;
  };

  const migratedUrl = (): Promise<string> => urlOf(createTestDatabase);

  const emptyUrl = (): Promise<string> => urlOf(createEmptyDatabase);

  /** What TypeORM would change to make the database what the entities say. */
  const drift = async (connection: DataSource): Promise<string[]> => {
    const { upQueries } = await connection.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  };

  return { app, dataSource, migratedUrl, emptyUrl, drift };
}

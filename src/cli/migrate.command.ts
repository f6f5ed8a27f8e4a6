import { Command } from 'commander';
import { loadEnvironment, requireNoServer } from '../bootstrap/load-environment.js';
import { migrate } from '../persistence/migrate.js';
import { openDatabase } from '../persistence/open-database.js';
import { waitForDatabase } from '../persistence/wait-for-database.js';
import { type JsonOption, printResult, withJson } from './output.js';

/** `gatehouse migrate`: what a service does at its start, for deployments whose service may not (docs/operations.md#upgrade). */
export function migrateCommand(): Command {
  return withJson(new Command('migrate')).action(async (options: JsonOption) => {
    requireNoServer();
    // A job that migrates has the credentials of the owner, and no others.
    const environment = loadEnvironment({ encrypts: false });
    const database = await openDatabase(environment, 'share', () => undefined);
    try {
      const log = (message: string): void => void process.stderr.write(`${message}\n`);
      await waitForDatabase(database, environment.databaseWaitMs, log);
      const run = await migrate(database.migrationUrl, database.url);
      const lines = run.length === 0 ? ['The database is up to date.'] : run.map((name) => `Migrated: ${name}`);
      printResult(options, { migrations: run }, ...lines);
    } finally {
      await database.close();
    }
  });
}

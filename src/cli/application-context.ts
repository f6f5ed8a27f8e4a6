import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadEnvironment, requireNoServer, withEncryptionKey } from '../bootstrap/load-environment.js';
import type { Environment } from '../config/environment.js';
import { UsageError } from '../bootstrap/usage-error.js';
import { migrate, migrationStateOf } from '../persistence/migrate.js';
import { type OpenDatabase, openDatabase } from '../persistence/open-database.js';
import { waitForDatabase } from '../persistence/wait-for-database.js';
import { ServiceLogger } from '../telemetry/logging/service-logger.js';

/**
 * Runs work with the services of the application, on the database of the deployment, without listening.
 *
 * @param work receives the application's services and its configuration
 * @throws UsageError where GATEHOUSE_URL names a server: the database here may be another one's
 */
export async function withApplicationContext<T>(
  work: (context: INestApplicationContext, environment: Environment) => Promise<T>,
): Promise<T> {
  requireNoServer();
  const configured = loadEnvironment();
  // Standard output is only for the output of the command.
  const logger = new ServiceLogger('silent');
  const database = await openDatabase(configured, 'share', () => undefined);
  try {
    const environment = await withEncryptionKey(configured, database);
    await waitForDatabase(database, 0, () => undefined);
    await migrateIfAlone(database);
    // With the first command that needs it: help and refused words come sooner without it.
    const { AppModule } = await import('../app.module.js');
    const module = AppModule.forRoot({ environment, databaseUrl: database.url, logger });
    const context = await NestFactory.createApplicationContext(module, { logger, abortOnError: false });
    try {
      return await work(context, environment);
    } finally {
      await context.close();
    }
  } finally {
    await database.close();
  }
}

/**
 * Migrates an empty database, or an embedded one that no other process uses. Any other database may serve replicas of an earlier release:
 * the operator decides when to migrate it.
 *
 * @throws UsageError where it has to be migrated first
 */
async function migrateIfAlone(database: OpenDatabase): Promise<void> {
  const { isEmpty, pending } = await migrationStateOf(database.url);
  if (pending === 0) return;
  if (!isEmpty && !database.isAlone) {
    throw new UsageError(
      `The database is that of an earlier release: ${pending} of its migrations are pending. Start the service of this release, or run ` +
        '`gatehouse migrate`, first.',
    );
  }
  await migrate(database.migrationUrl, database.url);
}

import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { loadEnvironment, withEncryptionKey } from '../bootstrap/load-environment.js';
import type { Environment } from '../config/environment.js';
import { migrate } from '../persistence/migrate.js';
import { openDatabase } from '../persistence/open-database.js';
import { ServiceLogger } from '../telemetry/logging/service-logger.js';

/**
 * Runs work with the services of the application, on the database of the deployment, without listening.
 *
 * @param work receives the application's services and its configuration
 */
export async function withApplicationContext<T>(
  work: (context: INestApplicationContext, environment: Environment) => Promise<T>,
): Promise<T> {
  const configured = loadEnvironment();
  // Standard output is only for the output of the command.
  const logger = new ServiceLogger('silent');
  const database = await openDatabase(configured, 'share', () => undefined);
  try {
    const environment = await withEncryptionKey(configured, database);
    await migrate(database.migrationUrl, database.url);
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

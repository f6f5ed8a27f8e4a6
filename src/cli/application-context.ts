import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { loadEnvironment } from '../boot/load-environment.js';
import { withEncryptionKey } from '../boot/with-encryption-key.js';
import type { Environment } from '../config/environment.js';
import { migrate } from '../database/migrate.js';
import { openDatabase } from '../database/open-database.js';
import { ServiceLogger } from '../http/logging/service-logger.js';

/**
 * Does work with the services of the application, on the database of the deployment, without listening.
 *
 * @param work gets the application's services and its configuration
 */
export async function withApplicationContext<T>(
  work: (context: INestApplicationContext, environment: Environment) => Promise<T>,
): Promise<T> {
  const configured = loadEnvironment();
  // Standard output belongs to what the command prints.
  const logger = new ServiceLogger('silent');
  const database = await openDatabase(configured, 'share', () => undefined);
  try {
    const environment = await withEncryptionKey(configured, database);
    await migrate(database.migrationUrl, database.url);
    const module = AppModule.with({ environment, databaseUrl: database.url, logger });
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

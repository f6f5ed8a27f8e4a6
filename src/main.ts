import 'reflect-metadata';
import { createApplication } from './app.setup.js';
import { announce } from './boot/announcement.js';
import { loadEnvironment } from './boot/load-environment.js';
import { stopOnSignals } from './boot/stop-on-signals.js';
import { withEncryptionKey } from './boot/with-encryption-key.js';
import { reportBootFailure } from './boot/boot-failure.js';
import { migrate } from './database/migrate.js';
import { openDatabase } from './database/open-database.js';
import { ServiceLogger } from './http/logging/service-logger.js';
import { InstallationService } from './modules/installation/installation.service.js';

try {
  const configured = loadEnvironment();
  const logger = new ServiceLogger(configured.logLevel);
  const database = await openDatabase(configured, 'own', (message) => logger.event(message));
  try {
    const environment = await withEncryptionKey(configured, database);
    await migrate(database.url);
    const application = await createApplication({ environment, databaseUrl: database.url, logger });
    const made = await application.get(InstallationService).ensure();
    await application.listen(environment.port, environment.host);
    stopOnSignals(application, database, logger);
    announce(application, environment, made);
  } catch (error) {
    await database.close();
    throw error;
  }
} catch (error) {
  reportBootFailure(error);
}

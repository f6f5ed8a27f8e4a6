import type { INestApplication } from '@nestjs/common';
import { readEnvironment } from '../config/environment.js';
import { ServiceLogger } from '../telemetry/logging/service-logger.js';

/** The application with the default configuration. It connects to no database, and does not listen. */
export async function offlineApplication(): Promise<INestApplication> {
  // With the command that needs it: help comes sooner without it.
  const { createApplication } = await import('../app.setup.js');
  return createApplication({
    environment: readEnvironment({}),
    databaseUrl: 'postgres://localhost/nothing',
    logger: new ServiceLogger('silent'),
    connects: false,
  });
}

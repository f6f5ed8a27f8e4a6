import 'reflect-metadata';
import { ServiceLogger } from '../../http/logging/service-logger.js';
import { explanationOf } from '../boot-failure.js';
import { startListening } from '../listening-application.js';
import { loadEnvironment } from '../load-environment.js';
import { Shutdown } from '../shutdown.js';
import { sharedOutput } from './shared-output.js';
import { tellPrimary } from './worker-message.js';

// One of several processes of a service (WORKERS): application -> listen -> signals. Everything else is done by the one
// that started it. When that one is gone, node:cluster ends this one too.
const shutdown = new Shutdown();

try {
  const environment = loadEnvironment();
  const logger = new ServiceLogger(environment.logLevel, sharedOutput());
  shutdown.onSignals(logger);
  const context = { environment, databaseUrl: environment.databaseUrl!, logger };
  const { port } = await shutdown.open(startListening(context));
  await tellPrimary({ gatehouse: 'listening', port });
} catch (error) {
  if (!shutdown.hasBegun) await tellPrimary({ gatehouse: 'failed', explanation: explanationOf(error) });
  process.exit(1);
}

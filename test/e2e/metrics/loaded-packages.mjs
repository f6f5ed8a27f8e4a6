// Puts the application together as it was built and prints which packages of observation that has loaded, as JSON.
// node loaded-packages.mjs <environment variables as JSON>
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { createApplication } from '../../../dist/src/app.setup.js';
import { readEnvironment } from '../../../dist/src/config/environment.js';
import { ServiceLogger } from '../../../dist/src/telemetry/logging/service-logger.js';

const environment = readEnvironment(JSON.parse(process.argv[2]));
const logger = new ServiceLogger('silent');
await createApplication({ environment, databaseUrl: 'postgres://localhost/nothing', logger, connects: false });
const files = Object.keys(createRequire(import.meta.url).cache);
const packages = files.map((file) => /node_modules\/(@opentelemetry\/[\w-]+|prom-client)\//.exec(file)?.[1]);
process.stdout.write(JSON.stringify([...new Set(packages)].filter((name) => name !== undefined).sort()));
process.exit();

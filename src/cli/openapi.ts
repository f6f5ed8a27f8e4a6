import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { createApplication } from '../app.setup.js';
import { readEnvironment } from '../config/environment.js';
import { openApiDocument, sortKeys } from '../http/openapi/openapi-document.js';
import { ServiceLogger } from '../telemetry/logging/service-logger.js';

const FILE = 'openapi.json';

// `npm run openapi` writes the document; with --check it compares instead, and fails if the two differ.
const text = await currentDocument();
if (!process.argv.includes('--check')) {
  await writeFile(FILE, text);
} else if ((await readFile(FILE, 'utf8')) !== text) {
  process.stderr.write(`${FILE} is not what the application says: run "npm run openapi" and commit the result\n`);
  process.exitCode = 1;
}

/**
 * The document of the default configuration, with sorted keys, so that two versions can be compared line by line. The
 * application neither connects to a database nor listens.
 */
async function currentDocument(): Promise<string> {
  const application = await createApplication({
    environment: readEnvironment({}),
    databaseUrl: 'postgres://localhost/nothing',
    logger: new ServiceLogger('silent'),
    connects: false,
  });
  return `${JSON.stringify(sortKeys(await openApiDocument(application)), null, 2)}\n`;
}

import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { createApplication } from '../app.setup.js';
import { readEnvironment } from '../config/environment.js';
import { openApiDocument } from '../http/openapi/openapi-document.js';
import { sortKeys } from '../http/openapi/sort-keys.js';
import { ServiceLogger } from '../http/logging/service-logger.js';

const FILE = 'openapi.json';

// `npm run openapi` writes the document; with --check it compares instead, and fails where the two differ.
const text = await currentDocument();
if (!process.argv.includes('--check')) {
  await writeFile(FILE, text);
} else if ((await readFile(FILE, 'utf8')) !== text) {
  process.stderr.write(`${FILE} is not what the application says: run "npm run openapi" and commit the result\n`);
  process.exitCode = 1;
}

/**
 * The document of the default configuration, sorted, so that two of them compare line by line. Nothing is connected to and
 * nothing listens.
 */
async function currentDocument(): Promise<string> {
  const application = await createApplication({
    environment: readEnvironment({}),
    databaseUrl: 'postgres://localhost/nothing',
    logger: new ServiceLogger('silent'),
    connects: false,
  });
  return `${JSON.stringify(sortKeys(openApiDocument(application)), null, 2)}\n`;
}

import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument, sortKeys } from '../http/openapi/openapi-document.js';
import { schemaText } from './configuration/schema-text.js';
import { offlineApplication } from './offline-application.js';

// `npm run openapi` writes what is published of the form of requests and files; with --check it compares instead, and fails if anything differs.
const application = await offlineApplication();
const published = {
  // With sorted keys, so that two versions can be compared line by line.
  'openapi.json': `${JSON.stringify(sortKeys(await openApiDocument(application)), null, 2)}\n`,
  'configuration.schema.json': schemaText(application),
};
for (const [file, text] of Object.entries(published)) {
  if (!process.argv.includes('--check')) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8')) !== text) {
    process.stderr.write(`${file} is not what the application says: run "npm run openapi" and commit the result\n`);
    process.exitCode = 1;
  }
}

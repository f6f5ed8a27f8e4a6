import { open } from 'node:fs/promises';
import type { FirstManagementKey } from '../config/first-management-key-variable.js';
import type { NewOrganization } from '../modules/installation/installation.service.js';
import { errorCode, errorMessage } from '../persistence/database-failures.js';

/** The file for the first management key cannot be written; the message says why. */
export class FirstManagementKeyNotWritten extends Error {}

/**
 * How the management key of the first organization reaches the operator (docs/operations.md#first-management-key).
 *
 * @returns what receives the organization, and resolves once the key is handed over; undefined where no key is to be made
 */
export function handOverFirstManagementKey(
  chosen: FirstManagementKey,
): ((created: NewOrganization) => Promise<void>) | undefined {
  if (chosen === 'none') return undefined;
  return ({ managementKey }) => (chosen === 'print' ? print(managementKey) : write(chosen.file, managementKey));
}

/** @throws the stream's error when standard output is closed */
function print(key: string): Promise<void> {
  const lines = [
    '',
    'The first organization:',
    `  Management key  ${key}`,
    '                  Keep it now: it is not shown again.',
    '',
  ];
  return new Promise((resolve, reject) => {
    process.stdout.write(lines.join('\n'), (error) => (error ? reject(error) : resolve()));
  });
}

/** The file is a new one, which only this user may read, and is on disk when this resolves. */
async function write(file: string, key: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(`${key}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const isThere = errorCode(error) === 'EEXIST';
    const cause = isThere ? 'it exists already' : (errorCode(error) ?? errorMessage(error));
    throw new FirstManagementKeyNotWritten(
      `The first management key cannot be written to ${file}: ${cause} (FIRST_MANAGEMENT_KEY). Nothing was created.`,
    );
  }
}

import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const FILE_NAME = 'encryption.key';

/**
 * Loads the encryption key that belongs to the embedded server's data, and generates it at the first start.
 *
 * @param dataDirectory the data directory of the embedded server
 * @returns 32 bytes
 * @throws Error when the file exists but does not contain a key
 */
export async function loadOrCreateEncryptionKey(dataDirectory: string): Promise<Buffer> {
  const file = path.join(dataDirectory, FILE_NAME);
  await mkdir(dataDirectory, { recursive: true });
  if (!existsSync(file)) await makeKey(file);
  const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'base64');
  if (key.length !== 32) throw new Error(`${file} does not hold an encryption key of 32 bytes`);
  return key;
}

/** Creates the file atomically: of two concurrent processes one creates it and the other uses it. */
async function makeKey(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
}

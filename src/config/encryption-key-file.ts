import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const FILE_NAME = 'encryption.key';

/**
 * The encryption key that belongs to the embedded server: made at the first start and kept beside its data.
 *
 * @param dataDirectory where the embedded server's data lives
 * @returns 32 bytes
 * @throws Error when the file is there but does not hold a key
 */
export async function keptEncryptionKey(dataDirectory: string): Promise<Buffer> {
  const file = path.join(dataDirectory, FILE_NAME);
  await mkdir(dataDirectory, { recursive: true });
  try {
    // Of two processes that start at once, one makes the file and both read it.
    await writeFile(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'base64');
  if (key.length !== 32) throw new Error(`${file} does not hold an encryption key of 32 bytes`);
  return key;
}

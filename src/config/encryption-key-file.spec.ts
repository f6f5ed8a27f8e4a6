import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { keptEncryptionKey } from './encryption-key-file.js';

describe('keptEncryptionKey', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-key-'));
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('makes a key of 32 bytes, and finds it again', async () => {
    const made = await keptEncryptionKey(directory);
    const found = await keptEncryptionKey(directory);

    expect(made).toHaveLength(32);
    expect(found).toEqual(made);
  });

  it('makes another key in another place', async () => {
    const one = await keptEncryptionKey(path.join(directory, 'one'));
    const other = await keptEncryptionKey(path.join(directory, 'other'));

    expect(one).not.toEqual(other);
  });

  it('keeps it where only its owner can read it, and nothing else beside it', async () => {
    const key = await keptEncryptionKey(directory);

    expect(await readdir(directory)).toEqual(['encryption.key']);
    const file = path.join(directory, 'encryption.key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readFile(file, 'utf8')).trim()).toBe(key.toString('base64'));
  });

  it('makes the directory, where there is none', async () => {
    const nested = path.join(directory, 'not', 'there', 'yet');

    expect(await keptEncryptionKey(nested)).toEqual(await keptEncryptionKey(nested));
  });

  it('gives everybody who asks at once the same key', async () => {
    const keys = await Promise.all(Array.from({ length: 50 }, () => keptEncryptionKey(directory)));

    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(await readdir(directory)).toEqual(['encryption.key']);
  });

  it.each([
    ['nothing', ''],
    ['too little', `${Buffer.alloc(31, 1).toString('base64')}\n`],
    ['too much', `${Buffer.alloc(33, 1).toString('base64')}\n`],
    ['something else', 'a passphrase\n'],
  ])('refuses a file that holds %s, names it, and leaves it alone', async (_name, content) => {
    const file = path.join(directory, 'encryption.key');
    await writeFile(file, content);

    await expect(keptEncryptionKey(directory)).rejects.toThrow(`${file} does not hold an encryption key of 32 bytes`);

    expect(await readFile(file, 'utf8')).toBe(content);
  });
});

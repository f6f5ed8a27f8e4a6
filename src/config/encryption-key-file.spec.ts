import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { loadOrCreateEncryptionKey } from './encryption-key-file.js';

describe('loadOrCreateEncryptionKey', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'gatehouse-key-'));
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('creates a key of 32 bytes, and reads the same key later', async () => {
    const made = await loadOrCreateEncryptionKey(directory);
    const found = await loadOrCreateEncryptionKey(directory);

    expect(made).toHaveLength(32);
    expect(found).toEqual(made);
  });

  it('creates another key at another path', async () => {
    const one = await loadOrCreateEncryptionKey(path.join(directory, 'one'));
    const other = await loadOrCreateEncryptionKey(path.join(directory, 'other'));

    expect(one).not.toEqual(other);
  });

  it('makes the file readable for its owner only, and creates nothing else', async () => {
    const key = await loadOrCreateEncryptionKey(directory);

    expect(await readdir(directory)).toEqual(['encryption.key']);
    const file = path.join(directory, 'encryption.key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readFile(file, 'utf8')).trim()).toBe(key.toString('base64'));
  });

  it('creates a missing directory', async () => {
    const nested = path.join(directory, 'not', 'there', 'yet');

    expect(await loadOrCreateEncryptionKey(nested)).toEqual(await loadOrCreateEncryptionKey(nested));
  });

  it('returns the same key to callers at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 50 }, () => loadOrCreateEncryptionKey(directory)));

    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(await readdir(directory)).toEqual(['encryption.key']);
  });

  it.each([
    ['nothing', ''],
    ['too little', `${Buffer.alloc(31, 1).toString('base64')}\n`],
    ['too much', `${Buffer.alloc(33, 1).toString('base64')}\n`],
    ['something else', 'a passphrase\n'],
  ])('rejects a file that holds %s, names it, and leaves it unchanged', async (_name, content) => {
    const file = path.join(directory, 'encryption.key');
    await writeFile(file, content);

    await expect(loadOrCreateEncryptionKey(directory)).rejects.toThrow(
      `${file} does not hold an encryption key of 32 bytes`,
    );

    expect(await readFile(file, 'utf8')).toBe(content);
  });
});

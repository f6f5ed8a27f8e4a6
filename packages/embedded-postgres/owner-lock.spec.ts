import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmbeddedPostgresInUse } from './errors.js';
import { findOwner, OwnerLock } from './owner-lock.js';

describe('OwnerLock', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'owner-lock-'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it('has one holder at a time', async () => {
    const lock = await OwnerLock.acquire(directory, 0);
    await expect(OwnerLock.acquire(directory, 10)).rejects.toThrow(EmbeddedPostgresInUse);
    lock.release();
    (await OwnerLock.acquire(directory, 0)).release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is acquired by a waiting process once it is free', async () => {
    const lock = await OwnerLock.acquire(directory, 0);
    const waiting = OwnerLock.acquire(directory, 600_000);
    setTimeout(() => lock.release(), 50);
    (await waiting).release();
  });

  it('gives waiting processes the URL of the server once it is announced', async () => {
    expect(findOwner(directory)).toBeUndefined();
    expect(findOwner(path.join(directory, 'absent'))).toBeUndefined();
    const lock = await OwnerLock.acquire(directory, 0);
    expect(findOwner(directory)).toMatchObject({ processId: process.pid, port: undefined });
    lock.announce(54321);
    expect(findOwner(directory)).toMatchObject({ processId: process.pid, port: 54321 });
    lock.release();
    expect(findOwner(directory)).toBeUndefined();
  });

  it('removes the claims of processes that have ended or whose id was reused, and nothing else', () => {
    for (const name of ['owner.1.1-abcdef01.lock', 'owner.4194304.1-abcdef01.lock', 'owner.lock', 'other']) {
      writeFileSync(path.join(directory, name), 'owning\n5432\n');
    }
    expect(findOwner(directory)).toBeUndefined();
    expect(readdirSync(directory).sort()).toEqual(['other', 'owner.lock']);
  });
});

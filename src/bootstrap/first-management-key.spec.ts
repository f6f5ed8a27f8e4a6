import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readEnvironment } from '../config/environment.js';
import { handOverFirstManagementKey } from './first-management-key.js';

const CREATED = {
  organizationId: 'org_1',
  userId: 'user_1',
  workspaceId: '1',
  managementKey: 'mk-gate-v2-key',
  managementKeyId: '1',
};

describe('FIRST_MANAGEMENT_KEY', () => {
  let directory: string;

  beforeAll(() => {
    directory = mkdtempSync(path.join(os.tmpdir(), 'gatehouse-key-'));
  });

  afterAll(() => rmSync(directory, { recursive: true }));

  const chosen = (value: string) =>
    handOverFirstManagementKey(readEnvironment({ FIRST_MANAGEMENT_KEY: value }).firstManagementKey);

  it('writes the key to a new file that only its user may read', async () => {
    const file = path.join(directory, 'key');

    await chosen(`file:${file}`)!(CREATED);

    expect(readFileSync(file, 'utf8')).toBe('mk-gate-v2-key\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('overwrites no file, and says why nothing was created', async () => {
    const file = path.join(directory, 'key');

    await expect(chosen(`file:${file}`)!(CREATED)).rejects.toThrow(`${file}: it exists already`);
    await expect(chosen(`file:${directory}/none/key`)!(CREATED)).rejects.toThrow('ENOENT');
  });

  it('makes no key for none', () => {
    expect(chosen('none')).toBeUndefined();
  });

  it.each(['file:', 'file:relative/path', 'show', '/run/key'])('refuses %s', (value) => {
    expect(() => readEnvironment({ FIRST_MANAGEMENT_KEY: value })).toThrow('FIRST_MANAGEMENT_KEY must be print, none');
  });
});

import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRoot } from './account.js';
import { clusterDirectory } from './cluster.js';
import { EmbeddedPostgresUnavailable } from './index.js';
import { findProcess } from './process-table.js';
import { EmbeddedServers, query, removeLinks } from './embedded-servers.fixture.js';

const asRoot = isRoot() ? it : it.skip;
const asOrdinaryUser = isRoot() ? it.skip : it;

let servers: EmbeddedServers;

beforeEach(() => {
  servers = new EmbeddedServers();
});

afterEach(() => servers.end());

describe('an embedded server with unusual files', () => {
  asRoot('copies binaries once that the database account cannot read', async () => {
    const binariesDirectory = servers.copyPackage('private/home/package');
    chmodSync(path.join(servers.place, 'private'), 0o700);
    const server = await servers.start({ binariesDirectory });
    const staged = readdirSync(servers.dataDirectory).filter((name) => name.startsWith('runtime-'));
    expect(staged).toHaveLength(1);
    const program = path.join(servers.dataDirectory, staged[0] ?? '', 'native/bin/postgres');
    expect(findProcess(servers.postmasterId())?.command[0]).toBe(program);
    await server.stop();

    const { ino } = statSync(program);
    const again = await servers.start({ binariesDirectory });
    expect(statSync(program).ino).toBe(ino);
    await again.stop();

    // As a power failure may leave it.
    const library = path.join(servers.dataDirectory, staged[0] ?? '', 'native/lib/libz.so.1');
    writeFileSync(library, '');
    await servers.start({ binariesDirectory });
    expect(statSync(library).size).toBeGreaterThan(0);
  });

  asOrdinaryUser('copies incomplete binaries that cannot be completed in place', async () => {
    const binariesDirectory = servers.copyPackage('package');
    removeLinks(binariesDirectory);
    chmodSync(path.join(binariesDirectory, 'native', 'lib'), 0o555);
    await servers.start({ binariesDirectory });
    expect(findProcess(servers.postmasterId())?.command[0]).toContain(path.join(servers.dataDirectory, 'runtime-'));
    chmodSync(path.join(binariesDirectory, 'native', 'lib'), 0o755);
  });

  it('completes an installation whose package scripts did not run', async () => {
    const binariesDirectory = servers.copyPackage('package');
    removeLinks(binariesDirectory);
    for (const program of ['postgres', 'initdb']) chmodSync(path.join(binariesDirectory, 'native/bin', program), 0o644);
    await servers.start({ binariesDirectory });
    expect(findProcess(servers.postmasterId())?.command[0]).toBe(path.join(binariesDirectory, 'native/bin/postgres'));
    expect(lstatSync(path.join(binariesDirectory, 'native/lib/libpq.so.5')).isSymbolicLink()).toBe(true);
  });

  asRoot('runs as a user id without an account, which alone can read the data', async () => {
    await servers.start();
    const { userId } = findProcess(servers.postmasterId())!;
    expect(readFileSync('/etc/passwd', 'utf8')).not.toMatch(new RegExp(`^[^:]*:[^:]*:${userId}:`, 'm'));
    const data = clusterDirectory(servers.dataDirectory);
    const files = [
      data,
      ...readdirSync(data, { recursive: true, encoding: 'utf8' }).map((name) => path.join(data, name)),
    ];
    for (const file of files) {
      // Temporary files come and go while the server runs.
      const stats = lstatSync(file, { throwIfNoEntry: false });
      if (stats !== undefined) expect([file, stats.uid, stats.mode & 0o077]).toEqual([file, userId, 0]);
    }
    const passwords = ['password', 'service-password'].map((name) =>
      statSync(path.join(servers.dataDirectory, 'cluster', name)),
    );
    expect(passwords.map(({ uid, mode }) => [uid, mode & 0o777])).toEqual([
      [0, 0o600],
      [0, 0o600],
    ]);
  });

  asRoot('runs as the owner of existing data, when an earlier release has created it as another user', async () => {
    const first = await servers.start();
    await query(first.url, 'CREATE TABLE kept (value int)');
    await first.stop();
    const { uid } = statSync(clusterDirectory(servers.dataDirectory));
    const [, other] = /^nobody:[^:]*:(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))!;
    execFileSync('chown', ['-R', other!, clusterDirectory(servers.dataDirectory)]);
    const again = await servers.start();
    expect(await query(again.url, 'SELECT * FROM kept')).toEqual([]);
    expect(uid).not.toBe(Number(other));
    expect(findProcess(servers.postmasterId())!.userId).toBe(Number(other));
  });

  it('creates the role of the service in data of an earlier release, which had none', async () => {
    const first = await servers.start();
    await query(first.url, 'DROP ROLE gatehouse_service');
    await first.stop();
    rmSync(path.join(servers.dataDirectory, 'cluster', 'service-password'));

    const again = await servers.start();

    expect(await query(again.serviceUrl, 'SELECT current_user AS role')).toEqual([{ role: 'gatehouse_service' }]);
    const refused = query(again.serviceUrl, 'SET session_replication_role = replica');
    await expect(refused).rejects.toMatchObject({ code: '42501' });
    expect(new URL(again.serviceUrl).password).not.toBe(new URL(again.url).password);
  });

  asRoot('reports the directory that the database account may not enter', async () => {
    mkdirSync(path.join(servers.place, 'private'), { mode: 0o700 });
    const refused = servers.start({ dataDirectory: path.join(servers.place, 'private', 'deep', 'data') });
    await expect(refused).rejects.toThrow(EmbeddedPostgresUnavailable);
    await expect(refused).rejects.toThrow(`chmod o+x ${path.join(servers.place, 'private')}`);
  });

  asOrdinaryUser('reports that it may not write the data directory', async () => {
    mkdirSync(path.join(servers.place, 'sealed'), { mode: 0o500 });
    const refused = servers.start({ dataDirectory: path.join(servers.place, 'sealed', 'data') });
    await expect(refused).rejects.toThrow(EmbeddedPostgresUnavailable);
    await expect(refused).rejects.toThrow('cannot create or write the data directory');
  });

  it('reports that the data directory is of another version', async () => {
    const server = await servers.start();
    await server.stop();
    writeFileSync(path.join(clusterDirectory(servers.dataDirectory), 'PG_VERSION'), '17\n');
    await expect(servers.start()).rejects.toThrow('is of PostgreSQL 17');
    writeFileSync(path.join(clusterDirectory(servers.dataDirectory), 'PG_VERSION'), '18\n');
    await servers.start();
  });

  it('reports the message of PostgreSQL when it does not start, and releases the data directory', async () => {
    await expect(servers.start({ settings: { no_such_setting: 'on' } })).rejects.toThrow(
      /PostgreSQL did not start \(exit code 1\)[^]*no_such_setting/,
    );
    await servers.start();
  });
});

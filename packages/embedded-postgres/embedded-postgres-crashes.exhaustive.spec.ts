import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { chooseAccount, spawnIdentity } from './account.js';
import { clusterDirectory } from './cluster.js';
import { findProcess } from './process-table.js';
import { EmbeddedServers, query, runningLike, until } from './embedded-servers.fixture.js';

let servers: EmbeddedServers;

beforeEach(() => {
  servers = new EmbeddedServers();
});

afterEach(() => servers.end());

describe('a start after kill -9', () => {
  it('of the owner stops the orphaned server and starts a new one', async () => {
    const owner = servers.runOwner('start', 'stay');
    const url = await owner.server;
    await query(url, 'CREATE TABLE kept (value int)');
    const orphan = servers.postmasterId();
    process.kill(owner.processId, 'SIGKILL');
    await owner.closed;
    expect(servers.serverProcesses()).toContain(orphan);

    const server = await servers.start();
    expect(findProcess(orphan)).toBeUndefined();
    expect(await query(server.url, 'SELECT * FROM kept')).toEqual([]);
  });

  it('of PostgreSQL runs again at the same URL, as often as it is killed', async () => {
    const server = await servers.start();
    await query(server.url, 'CREATE TABLE kept (value int)');
    const pool = new pg.Pool({ connectionString: server.url });
    pool.on('error', () => undefined);
    for (const value of [1, 2, 3]) {
      await pool.query('INSERT INTO kept VALUES ($1)', [value]);
      const killed = servers.postmasterId();
      process.kill(killed, 'SIGKILL');
      await until(() => servers.logged.filter((line) => line.includes('was restarted')).length === value);
      expect(findProcess(killed)).toBeUndefined();
      await until(async () =>
        pool.query('SELECT 1').then(
          () => true,
          () => false,
        ),
      );
    }
    expect((await pool.query('SELECT value FROM kept ORDER BY value')).rows).toHaveLength(3);
    await pool.end();
    await server.stop();
    expect(servers.serverProcesses()).toEqual([]);
  });

  it('of PostgreSQL ends its remaining processes, because nothing may write beside a new server', async () => {
    const server = await servers.start();
    // It never waits for anything, and so does not notice that its postmaster has ended.
    const cut = query(server.url, 'DO $$ BEGIN LOOP END LOOP; END $$').catch((error: Error) => error.message);
    await until(async () => (await query(server.url, runningLike('%LOOP END LOOP%'))).length === 1);
    process.kill(servers.postmasterId(), 'SIGKILL');
    await until(() => servers.logged.some((line) => line.includes('was restarted')));
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await cut).toContain('terminated');
    expect(servers.logged.filter((line) => line.includes('whose postmaster is gone'))).toHaveLength(1);
  });

  it('of PostgreSQL can be stopped in the middle', async () => {
    const server = await servers.start();
    process.kill(servers.postmasterId(), 'SIGKILL');
    await until(() => servers.logged.some((line) => line.includes('ended unexpectedly')));
    await server.stop();
    expect(servers.serverProcesses()).toEqual([]);
  });

  it('of owner and PostgreSQL recovers', async () => {
    const owner = servers.runOwner('start', 'stay');
    const url = await owner.server;
    await query(url, 'CREATE TABLE kept (value int)');
    const postmaster = servers.postmasterId();
    process.kill(owner.processId, 'SIGKILL');
    process.kill(postmaster, 'SIGKILL');

    const server = await servers.start();
    expect(await query(server.url, 'SELECT * FROM kept')).toEqual([]);
  });

  it('of the owner while it creates the cluster creates the cluster again', async () => {
    const owner = servers.runOwner('start', 'stay', { settings: {} });
    const partial = (): string | undefined =>
      existsSync(servers.dataDirectory)
        ? readdirSync(servers.dataDirectory).find((name) => name.startsWith('cluster.partial-'))
        : undefined;
    await until(() => {
      const name = partial();
      return name !== undefined && existsSync(path.join(servers.dataDirectory, name, 'data', 'PG_VERSION'));
    });
    process.kill(owner.processId, 'SIGKILL');
    await owner.closed;
    expect(existsSync(path.join(servers.dataDirectory, 'cluster'))).toBe(false);

    const server = await servers.start();
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(partial()).toBeUndefined();
  });

  it('of the owner while it creates the cluster removes the partial cluster, however small', async () => {
    mkdirSync(path.join(servers.dataDirectory, 'cluster.partial-1', 'data', 'base'), { recursive: true });
    writeFileSync(path.join(servers.dataDirectory, 'cluster.partial-1', 'data', 'PG_VERSION'), '18\n');
    await servers.start();
    expect(readdirSync(servers.dataDirectory).filter((name) => name.includes('partial'))).toEqual([]);
  });
});

describe('a start beside files of an earlier run', () => {
  it('ignores a process that has the id of the earlier owner', async () => {
    mkdirSync(servers.dataDirectory);
    writeFileSync(path.join(servers.dataDirectory, `owner.${process.pid}.1-00000000.lock`), 'owning\n5432\n');
    writeFileSync(path.join(servers.dataDirectory, 'owner.1.1-00000000.lock'), 'owning\n5432\n');
    await servers.start({ waitForOwnerMs: 0 });
    expect(readdirSync(servers.dataDirectory).filter((name) => name.endsWith('.lock'))).toHaveLength(1);
  });

  it('ignores a process that has the id of the earlier postmaster', async () => {
    const server = await servers.start();
    await server.stop();
    const identity = spawnIdentity(chooseAccount(clusterDirectory(servers.dataDirectory)));
    const bystander = servers.keep(spawn('sleep', ['300'], { ...identity, stdio: 'ignore' }));
    // Its child ends at once, and is never waited for by what the shell has become.
    const parent = servers.keep(
      spawn('/bin/sh', ['-c', 'true & echo $!; exec sleep 300'], { ...identity, stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    const [zombie] = (await once(parent.stdout ?? parent, 'data')) as [Buffer];

    for (const processId of [process.pid, 1, bystander.pid, Number(zombie.toString())]) {
      writeFileSync(
        path.join(clusterDirectory(servers.dataDirectory), 'postmaster.pid'),
        `${processId}\n${clusterDirectory(servers.dataDirectory)}\n1700000000\n5432\n\n127.0.0.1\n  1234567         1\nready   \n`,
      );
      const again = await servers.start();
      expect(await query(again.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await again.stop();
    }
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  });

  it('ignores the server of another data directory', async () => {
    const other = await servers.start({ dataDirectory: path.join(servers.place, 'other') });
    const server = await servers.start();
    await server.stop();
    cpSync(
      path.join(clusterDirectory(path.join(servers.place, 'other')), 'postmaster.pid'),
      path.join(clusterDirectory(servers.dataDirectory), 'postmaster.pid'),
    );
    const again = await servers.start();
    expect(await query(again.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await query(other.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

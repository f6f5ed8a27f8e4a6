import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { chooseAccount } from './account.js';
import { locateBinaries } from './binaries.js';
import { clusterDirectory } from './cluster.js';
import { findFreePort } from './free-port.js';
import { DataInUse, PortTaken, Postmaster } from './postmaster.js';
import { prepareBinaries } from './staging.js';
import { EmbeddedServers, query, runningLike, until } from './embedded-servers.fixture.js';

let servers: EmbeddedServers;

beforeEach(() => {
  servers = new EmbeddedServers();
});

afterEach(() => servers.end());

describe('an embedded PostgreSQL server', () => {
  it('keeps its data when it is stopped and started', async () => {
    const first = await servers.start();
    await query(first.url, 'CREATE TABLE kept (value int)');
    await query(first.url, 'INSERT INTO kept VALUES (42)');
    await first.stop();
    expect(servers.serverProcesses()).toEqual([]);
    expect(readdirSync(servers.dataDirectory).filter((name) => name.endsWith('.lock'))).toEqual([]);

    const second = await servers.start();
    expect(await query(second.url, 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
  });

  it('listens on loopback only, requires the password, and is durable, with checksums and in UTF-8', async () => {
    const { url } = await servers.startEmbedded({ settings: {} });
    expect(new URL(url)).toMatchObject({ protocol: 'postgres:', hostname: '127.0.0.1', pathname: '/gatehouse' });
    const values = await query(
      url,
      `SELECT name, setting FROM pg_settings WHERE name = ANY (ARRAY['listen_addresses', 'unix_socket_directories',
         'data_checksums', 'server_encoding', 'fsync', 'synchronous_commit', 'max_connections', 'password_encryption'])`,
    );
    expect(Object.fromEntries(values.map(({ name, setting }) => [name, setting]))).toEqual({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      fsync: 'on',
      synchronous_commit: 'on',
      max_connections: '200',
      password_encryption: 'scram-sha-256',
    });
    expect(await query(url, 'SELECT datcollate FROM pg_database WHERE datname = current_database()')).toEqual([
      { datcollate: 'C' },
    ]);
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('keeps its password in a file that only this user can read', async () => {
    const { url } = await servers.start();
    const file = path.join(servers.dataDirectory, 'cluster', 'password');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(file).uid).toBe(process.geteuid?.());
    expect(readFileSync(file, 'utf8').trim()).toBe(new URL(url).password);
  });

  it('keeps the password out of the log, even when PostgreSQL writes it', async () => {
    const { url } = await servers.start();
    await query(url, `DO $$ BEGIN RAISE WARNING 'look: ${new URL(url).password}'; END $$`);
    await until(() => servers.logged.some((line) => line.includes('look: [redacted]')));
  });

  it('can be stopped more than once, and reports when it has stopped', async () => {
    const server = await servers.start();
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    await server.exited;
    await expect(query(server.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends connections with running statements when it stops', async () => {
    const server = await servers.start();
    const cut = query(server.url, 'SELECT pg_sleep(60)').catch((error: Error) => error.message);
    await until(async () => (await query(server.url, runningLike('%pg_sleep(60)%'))).length === 1);
    await server.stop();
    expect(await cut).toContain('terminat');
  });

  it('reports a port that is taken differently from a data directory that is in use', async () => {
    const server = await servers.start();
    const cluster = clusterDirectory(servers.dataDirectory);
    const account = chooseAccount(cluster);
    const { postgres } = prepareBinaries(locateBinaries(), account, servers.dataDirectory, (line) =>
      servers.logged.push(line),
    );
    const launch = (port: number): Promise<Postmaster> =>
      Postmaster.launch(
        {
          program: postgres,
          clusterDirectory: cluster,
          account,
          settings: {},
          log: (line) => servers.logged.push(line),
        },
        port,
      );
    await expect(launch(await findFreePort())).rejects.toThrow(DataInUse);

    await server.stop();
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as { port: number };
    await expect(launch(port)).rejects.toThrow(PortTaken);
    occupant.close();
  });
});

describe('the owner process of an embedded server', () => {
  it('exits by itself once it has stopped the server', async () => {
    const owner = servers.runOwner('start', 'stop');
    await owner.server;
    expect(await owner.closed).toBe(0);
  });

  it('ends the server when it exits without stopping it', async () => {
    const owner = servers.runOwner('start', 'exit');
    await owner.server;
    expect(await owner.closed).toBe(0);
    await until(() => servers.serverProcesses().length === 0);
  });

  it('shares neither standard streams nor signals with the server', async () => {
    const owner = servers.runOwner('start', 'stop-on-signal', { detached: true });
    await owner.server;
    // What a terminal does on Ctrl-C: the signal goes to the whole group.
    process.kill(-owner.processId, 'SIGINT');
    expect(await owner.closed).toBe(0);
    expect(owner.told).toContainEqual({ note: 'the server outlived the signal' });

    const killed = servers.runOwner('start', 'stay');
    await killed.server;
    process.kill(killed.processId, 'SIGKILL');
    await killed.closed;
    expect(servers.serverProcesses()).not.toEqual([]);
  });
});

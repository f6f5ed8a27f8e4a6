import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { chooseAccount, isRoot, spawnIdentity } from './account.js';
import { locateBinaries } from './binaries.js';
import { clusterDirectory } from './cluster.js';
import {
  connectEmbeddedPostgres,
  EmbeddedPostgresInUse,
  EmbeddedPostgresUnavailable,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './index.js';
import { findFreePort } from './free-port.js';
import { findProcess, listProcesses, sendSignal } from './process-table.js';
import { DataInUse, PortTaken, Postmaster } from './postmaster.js';
import { prepareBinaries } from './staging.js';

const BUILT_MODULE = path.resolve('dist/packages/embedded-postgres/index.js');
const OWNER_PROCESS = path.resolve('packages/embedded-postgres/owner-process.fixture.mjs');
const asRoot = isRoot() ? it : it.skip;
const asOrdinaryUser = isRoot() ? it.skip : it;

interface Told {
  readonly url?: string;
  readonly error?: string;
  readonly message?: string;
  readonly note?: string;
  readonly log?: string;
}

let place: string;
let dataDirectory: string;
let logged: string[];
let urls: string[];
let servers: EmbeddedPostgres[];
let children: ChildProcess[];

beforeEach(() => {
  // The system's own may be below a directory that the database account cannot pass, and that is a test of its own.
  place = realpathSync(mkdtempSync(path.join(tmpdir(), 'embedded-postgres-')));
  chmodSync(place, 0o755);
  dataDirectory = path.join(place, 'data');
  logged = [];
  urls = [];
  servers = [];
  children = [];
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  for (const child of children) child.kill('SIGKILL');
  // Not SIGKILL, after which the system would keep a piece of shared memory for a server that never comes back.
  for (const processId of serverProcesses()) sendSignal(processId, 'SIGINT');
  await until(() => serverProcesses().length === 0);
  rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  const passwords = urls.map((url) => new URL(url).password);
  expect(passwords.every((password) => password.length >= 32)).toBe(true);
  expect(logged.filter((line) => passwords.some((password) => line.includes(password)))).toEqual([]);
});

describe('an embedded PostgreSQL server', () => {
  it('keeps its data when it is stopped and started', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept (value int)');
    await query(first.url, 'INSERT INTO kept VALUES (42)');
    await first.stop();
    expect(serverProcesses()).toEqual([]);
    expect(readdirSync(dataDirectory).filter((name) => name.endsWith('.lock'))).toEqual([]);

    const second = await start();
    expect(await query(second.url, 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
  });

  it('listens on loopback only, requires the password, and is durable, with checksums and in UTF-8', async () => {
    const { url } = await startEmbedded({ settings: {} });
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
    const { url } = await start();
    const file = path.join(dataDirectory, 'cluster', 'password');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(file).uid).toBe(process.geteuid?.());
    expect(readFileSync(file, 'utf8').trim()).toBe(new URL(url).password);
  });

  it('keeps the password out of the log, even when PostgreSQL writes it', async () => {
    const { url } = await start();
    await query(url, `DO $$ BEGIN RAISE WARNING 'look: ${new URL(url).password}'; END $$`);
    await until(() => logged.some((line) => line.includes('look: [redacted]')));
  });

  it('can be stopped more than once, and reports when it has stopped', async () => {
    const server = await start();
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    await server.exited;
    await expect(query(server.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends connections with running statements when it stops', async () => {
    const server = await start();
    const cut = query(server.url, 'SELECT pg_sleep(60)').catch((error: Error) => error.message);
    await until(async () => (await query(server.url, runningLike('%pg_sleep(60)%'))).length === 1);
    await server.stop();
    expect(await cut).toContain('terminat');
  });

  it('reports a port that is taken differently from a data directory that is in use', async () => {
    const server = await start();
    const cluster = clusterDirectory(dataDirectory);
    const account = chooseAccount(cluster);
    const { postgres } = prepareBinaries(locateBinaries(), account, dataDirectory, (line) => logged.push(line));
    const launch = (port: number): Promise<Postmaster> =>
      Postmaster.launch(
        {
          program: postgres,
          clusterDirectory: cluster,
          account,
          settings: {},
          log: (line) => logged.push(line),
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
    const owner = runOwner('start', 'stop');
    await owner.server;
    expect(await owner.closed).toBe(0);
  });

  it('ends the server when it exits without stopping it', async () => {
    const owner = runOwner('start', 'exit');
    await owner.server;
    expect(await owner.closed).toBe(0);
    await until(() => serverProcesses().length === 0);
  });

  it('shares neither standard streams nor signals with the server', async () => {
    const owner = runOwner('start', 'stop-on-signal', { detached: true });
    await owner.server;
    // What a terminal does on Ctrl-C: the signal goes to the whole group.
    process.kill(-owner.processId, 'SIGINT');
    expect(await owner.closed).toBe(0);
    expect(owner.told).toContainEqual({ note: 'the server outlived the signal' });

    const killed = runOwner('start', 'stay');
    await killed.server;
    process.kill(killed.processId, 'SIGKILL');
    await killed.closed;
    expect(serverProcesses()).not.toEqual([]);
  });
});

describe('a start after kill -9', () => {
  it('of the owner stops the orphaned server and starts a new one', async () => {
    const owner = runOwner('start', 'stay');
    const url = await owner.server;
    await query(url, 'CREATE TABLE kept (value int)');
    const orphan = postmasterId();
    process.kill(owner.processId, 'SIGKILL');
    await owner.closed;
    expect(serverProcesses()).toContain(orphan);

    const server = await start();
    expect(findProcess(orphan)).toBeUndefined();
    expect(await query(server.url, 'SELECT * FROM kept')).toEqual([]);
  });

  it('of PostgreSQL runs again at the same URL, as often as it is killed', async () => {
    const server = await start();
    await query(server.url, 'CREATE TABLE kept (value int)');
    const pool = new pg.Pool({ connectionString: server.url });
    pool.on('error', () => undefined);
    for (const value of [1, 2, 3]) {
      await pool.query('INSERT INTO kept VALUES ($1)', [value]);
      const killed = postmasterId();
      process.kill(killed, 'SIGKILL');
      await until(() => logged.filter((line) => line.includes('was restarted')).length === value);
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
    expect(serverProcesses()).toEqual([]);
  });

  it('of PostgreSQL ends its remaining processes, because nothing may write beside a new server', async () => {
    const server = await start();
    // It never waits for anything, and so does not notice that its postmaster has ended.
    const cut = query(server.url, 'DO $$ BEGIN LOOP END LOOP; END $$').catch((error: Error) => error.message);
    await until(async () => (await query(server.url, runningLike('%LOOP END LOOP%'))).length === 1);
    process.kill(postmasterId(), 'SIGKILL');
    await until(() => logged.some((line) => line.includes('was restarted')));
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await cut).toContain('terminated');
    expect(logged.filter((line) => line.includes('whose postmaster is gone'))).toHaveLength(1);
  });

  it('of PostgreSQL can be stopped in the middle', async () => {
    const server = await start();
    process.kill(postmasterId(), 'SIGKILL');
    await until(() => logged.some((line) => line.includes('ended unexpectedly')));
    await server.stop();
    expect(serverProcesses()).toEqual([]);
  });

  it('of owner and PostgreSQL recovers', async () => {
    const owner = runOwner('start', 'stay');
    const url = await owner.server;
    await query(url, 'CREATE TABLE kept (value int)');
    const postmaster = postmasterId();
    process.kill(owner.processId, 'SIGKILL');
    process.kill(postmaster, 'SIGKILL');

    const server = await start();
    expect(await query(server.url, 'SELECT * FROM kept')).toEqual([]);
  });

  it('of the owner while it creates the cluster creates the cluster again', async () => {
    const owner = runOwner('start', 'stay', { settings: {} });
    const partial = (): string | undefined =>
      existsSync(dataDirectory)
        ? readdirSync(dataDirectory).find((name) => name.startsWith('cluster.partial-'))
        : undefined;
    await until(() => {
      const name = partial();
      return name !== undefined && existsSync(path.join(dataDirectory, name, 'data', 'PG_VERSION'));
    });
    process.kill(owner.processId, 'SIGKILL');
    await owner.closed;
    expect(existsSync(path.join(dataDirectory, 'cluster'))).toBe(false);

    const server = await start();
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(partial()).toBeUndefined();
  });

  it('of the owner while it creates the cluster removes the partial cluster, however small', async () => {
    mkdirSync(path.join(dataDirectory, 'cluster.partial-1', 'data', 'base'), { recursive: true });
    writeFileSync(path.join(dataDirectory, 'cluster.partial-1', 'data', 'PG_VERSION'), '18\n');
    await start();
    expect(readdirSync(dataDirectory).filter((name) => name.includes('partial'))).toEqual([]);
  });
});

describe('a start beside files of an earlier run', () => {
  it('ignores a process that has the id of the earlier owner', async () => {
    mkdirSync(dataDirectory);
    writeFileSync(path.join(dataDirectory, `owner.${process.pid}.1-00000000.lock`), 'owning\n5432\n');
    writeFileSync(path.join(dataDirectory, 'owner.1.1-00000000.lock'), 'owning\n5432\n');
    await start({ waitForOwnerMs: 0 });
    expect(readdirSync(dataDirectory).filter((name) => name.endsWith('.lock'))).toHaveLength(1);
  });

  it('ignores a process that has the id of the earlier postmaster', async () => {
    const server = await start();
    await server.stop();
    const identity = spawnIdentity(chooseAccount(clusterDirectory(dataDirectory)));
    const bystander = keep(spawn('sleep', ['300'], { ...identity, stdio: 'ignore' }));
    // Its child ends at once, and is never waited for by what the shell has become.
    const parent = keep(
      spawn('/bin/sh', ['-c', 'true & echo $!; exec sleep 300'], { ...identity, stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    const [zombie] = (await once(parent.stdout ?? parent, 'data')) as [Buffer];

    for (const processId of [process.pid, 1, bystander.pid, Number(zombie.toString())]) {
      writeFileSync(
        path.join(clusterDirectory(dataDirectory), 'postmaster.pid'),
        `${processId}\n${clusterDirectory(dataDirectory)}\n1700000000\n5432\n\n127.0.0.1\n  1234567         1\nready   \n`,
      );
      const again = await start();
      expect(await query(again.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await again.stop();
    }
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  });

  it('ignores the server of another data directory', async () => {
    const other = await start({ dataDirectory: path.join(place, 'other') });
    const server = await start();
    await server.stop();
    cpSync(
      path.join(clusterDirectory(path.join(place, 'other')), 'postmaster.pid'),
      path.join(clusterDirectory(dataDirectory), 'postmaster.pid'),
    );
    const again = await start();
    expect(await query(again.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await query(other.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('a second process with the same data directory', () => {
  it('connects to the running server, leaves it running, and starts none', async () => {
    const owner = runOwner('start', 'stay');
    const url = await owner.server;

    const connected = await connect();
    expect(connected.url).toBe(url);
    expect(await query(connected.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await connected.stop();
    await connected.exited;
    expect(await query(connected.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);

    const refused = start({ waitForOwnerMs: 100 });
    await expect(refused).rejects.toThrow(EmbeddedPostgresInUse);
    await expect(refused).rejects.toThrow(`in use by process ${owner.processId}`);
  });

  it('connects to a server that is still starting', async () => {
    const owner = runOwner('start', 'stay');
    await until(() => existsSync(dataDirectory) && readdirSync(dataDirectory).length > 0);
    const connected = await connect();
    expect(connected.url).toBe(await owner.server);
  });

  it('starts a server when there is none, and stops it', async () => {
    const connected = await connect();
    expect(await query(connected.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await connected.stop();
    expect(serverProcesses()).toEqual([]);
  });

  it('starts once a short run that uses the data directory has ended', async () => {
    const shortRun = await connect();
    const waiting = start({ waitForOwnerMs: 300_000 });
    await sleep(200);
    await shortRun.stop();
    expect(await query((await waiting).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is refused when it is the same process', async () => {
    await start();
    await expect(start({ waitForOwnerMs: 0 })).rejects.toThrow(EmbeddedPostgresInUse);
  });

  it('starts the server once when several start at the same time', async () => {
    const owners = Array.from({ length: 4 }, () => runOwner('start', 'stay', { waitForOwnerMs: 0 }));
    const outcomes = await Promise.allSettled(owners.map((owner) => owner.server));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const errors = owners
      .flatMap((owner) => owner.told.map(({ error }) => error))
      .filter((error) => error !== undefined);
    expect(errors).toEqual(['EmbeddedPostgresInUse', 'EmbeddedPostgresInUse', 'EmbeddedPostgresInUse']);
  });

  it('starts the server once when several connect at the same time', async () => {
    const runs = Array.from({ length: 3 }, () => runOwner('connect', 'stay'));
    const found = await Promise.all(runs.map((run) => run.server));
    expect(new Set(found).size).toBe(1);
  });
});

describe('an embedded server with unusual files', () => {
  asRoot('copies binaries once that the database account cannot read', async () => {
    const binariesDirectory = copyPackage('private/home/package');
    chmodSync(path.join(place, 'private'), 0o700);
    const server = await start({ binariesDirectory });
    const staged = readdirSync(dataDirectory).filter((name) => name.startsWith('runtime-'));
    expect(staged).toHaveLength(1);
    const program = path.join(dataDirectory, staged[0] ?? '', 'native/bin/postgres');
    expect(findProcess(postmasterId())?.command[0]).toBe(program);
    await server.stop();

    const { ino } = statSync(program);
    const again = await start({ binariesDirectory });
    expect(statSync(program).ino).toBe(ino);
    await again.stop();

    // As a power failure may leave it.
    const library = path.join(dataDirectory, staged[0] ?? '', 'native/lib/libz.so.1');
    writeFileSync(library, '');
    await start({ binariesDirectory });
    expect(statSync(library).size).toBeGreaterThan(0);
  });

  asOrdinaryUser('copies incomplete binaries that cannot be completed in place', async () => {
    const binariesDirectory = copyPackage('package');
    removeLinks(binariesDirectory);
    chmodSync(path.join(binariesDirectory, 'native', 'lib'), 0o555);
    await start({ binariesDirectory });
    expect(findProcess(postmasterId())?.command[0]).toContain(path.join(dataDirectory, 'runtime-'));
    chmodSync(path.join(binariesDirectory, 'native', 'lib'), 0o755);
  });

  it('completes an installation whose package scripts did not run', async () => {
    const binariesDirectory = copyPackage('package');
    removeLinks(binariesDirectory);
    for (const program of ['postgres', 'initdb']) chmodSync(path.join(binariesDirectory, 'native/bin', program), 0o644);
    await start({ binariesDirectory });
    expect(findProcess(postmasterId())?.command[0]).toBe(path.join(binariesDirectory, 'native/bin/postgres'));
    expect(lstatSync(path.join(binariesDirectory, 'native/lib/libpq.so.5')).isSymbolicLink()).toBe(true);
  });

  asRoot('runs as a user id without an account, which alone can read the data', async () => {
    await start();
    const { userId } = findProcess(postmasterId())!;
    expect(readFileSync('/etc/passwd', 'utf8')).not.toMatch(new RegExp(`^[^:]*:[^:]*:${userId}:`, 'm'));
    const data = clusterDirectory(dataDirectory);
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
      statSync(path.join(dataDirectory, 'cluster', name)),
    );
    expect(passwords.map(({ uid, mode }) => [uid, mode & 0o777])).toEqual([
      [0, 0o600],
      [0, 0o600],
    ]);
  });

  asRoot('runs as the owner of existing data, when an earlier release has created it as another user', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept (value int)');
    await first.stop();
    const { uid } = statSync(clusterDirectory(dataDirectory));
    const [, other] = /^nobody:[^:]*:(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))!;
    execFileSync('chown', ['-R', other!, clusterDirectory(dataDirectory)]);
    const again = await start();
    expect(await query(again.url, 'SELECT * FROM kept')).toEqual([]);
    expect(uid).not.toBe(Number(other));
    expect(findProcess(postmasterId())!.userId).toBe(Number(other));
  });

  it('creates the role of the service in data of an earlier release, which had none', async () => {
    const first = await start();
    await query(first.url, 'DROP ROLE gatehouse_service');
    await first.stop();
    rmSync(path.join(dataDirectory, 'cluster', 'service-password'));

    const again = await start();

    expect(await query(again.serviceUrl, 'SELECT current_user AS role')).toEqual([{ role: 'gatehouse_service' }]);
    const refused = query(again.serviceUrl, 'SET session_replication_role = replica');
    await expect(refused).rejects.toMatchObject({ code: '42501' });
    expect(new URL(again.serviceUrl).password).not.toBe(new URL(again.url).password);
  });

  asRoot('reports the directory that the database account may not enter', async () => {
    mkdirSync(path.join(place, 'private'), { mode: 0o700 });
    const refused = start({ dataDirectory: path.join(place, 'private', 'deep', 'data') });
    await expect(refused).rejects.toThrow(EmbeddedPostgresUnavailable);
    await expect(refused).rejects.toThrow(`chmod o+x ${path.join(place, 'private')}`);
  });

  asOrdinaryUser('reports that it may not write the data directory', async () => {
    mkdirSync(path.join(place, 'sealed'), { mode: 0o500 });
    const refused = start({ dataDirectory: path.join(place, 'sealed', 'data') });
    await expect(refused).rejects.toThrow(EmbeddedPostgresUnavailable);
    await expect(refused).rejects.toThrow('cannot create or write the data directory');
  });

  it('reports that the data directory is of another version', async () => {
    const server = await start();
    await server.stop();
    writeFileSync(path.join(clusterDirectory(dataDirectory), 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow('is of PostgreSQL 17');
    writeFileSync(path.join(clusterDirectory(dataDirectory), 'PG_VERSION'), '18\n');
    await start();
  });

  it('reports the message of PostgreSQL when it does not start, and releases the data directory', async () => {
    await expect(start({ settings: { no_such_setting: 'on' } })).rejects.toThrow(
      /PostgreSQL did not start \(exit code 1\)[^]*no_such_setting/,
    );
    await start();
  });
});

function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  return startEmbedded({ settings: { fsync: 'off' }, ...options });
}

async function startEmbedded(options: Partial<EmbeddedPostgresOptions>): Promise<EmbeddedPostgres> {
  return tracked(await startEmbeddedPostgres({ dataDirectory, log: (line) => logged.push(line), ...options }));
}

async function connect(): Promise<EmbeddedPostgres> {
  const settings = { fsync: 'off' };
  return tracked(await connectEmbeddedPostgres({ dataDirectory, log: (line) => logged.push(line), settings }));
}

function tracked(server: EmbeddedPostgres): EmbeddedPostgres {
  servers.push(server);
  urls.push(server.url);
  return server;
}

function keep<Child extends ChildProcess>(child: Child): Child {
  children.push(child);
  return child;
}

/** Runs another process, see the fixture: `server` is its URL, `closed` its exit code once its output is closed. */
function runOwner(
  action: 'start' | 'connect',
  then: 'stay' | 'stop' | 'exit' | 'stop-on-signal',
  { detached = false, ...options }: Partial<EmbeddedPostgresOptions> & { detached?: boolean } = {},
): { processId: number; told: Told[]; server: Promise<string>; closed: Promise<number | null> } {
  const allOptions = JSON.stringify({ dataDirectory, settings: { fsync: 'off' }, ...options });
  const child = spawn(process.execPath, [OWNER_PROCESS, BUILT_MODULE, action, then, allOptions], {
    detached,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  keep(child);
  const told: Told[] = [];
  const server = new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the process ended with ${code} before it had a server`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as Told;
      told.push(message);
      if (message.log !== undefined) logged.push(message.log);
      if (message.error !== undefined) reject(new Error(`${message.error}: ${message.message}`));
      if (message.url !== undefined) {
        urls.push(message.url);
        resolve(message.url);
      }
    });
  });
  // Some tests are about other things than whether it got that far.
  server.catch(() => undefined);
  const closed = once(child, 'close').then(([code]) => code as number | null);
  return { processId: child.pid ?? 0, told, server, closed };
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // A connection that is cut while it is idle says so in this way only.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function runningLike(pattern: string): string {
  return `SELECT pid FROM pg_stat_activity WHERE query LIKE '${pattern}' AND state = 'active' AND pid <> pg_backend_pid()`;
}

function postmasterId(): number {
  return Number(readFileSync(path.join(clusterDirectory(dataDirectory), 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Gives the ids of all processes that were started with something in this test's directory, other than its owners. */
function serverProcesses(): number[] {
  return listProcesses()
    .filter(({ command }) => command.some((argument) => argument.startsWith(place)))
    .map(({ processId }) => processId);
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error('Waited too long');
    await sleep(10);
  }
}

function copyPackage(to: string): string {
  const target = path.join(place, to);
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o755 });
  cpSync(realpathSync(locateBinaries().directory), target, { recursive: true, verbatimSymlinks: true });
  return target;
}

function removeLinks(packageDirectory: string): void {
  const libraries = path.join(packageDirectory, 'native', 'lib');
  for (const entry of readdirSync(libraries, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) rmSync(path.join(libraries, entry.name));
  }
}

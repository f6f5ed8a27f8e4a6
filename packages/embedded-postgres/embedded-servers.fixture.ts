import { deepEqual, ok } from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { locateBinaries } from './binaries.js';
import { clusterDirectory } from './cluster.js';
import {
  connectEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './index.js';
import { listProcesses, sendSignal } from './process-table.js';

const BUILT_MODULE = path.resolve('dist/packages/embedded-postgres/index.js');
const OWNER_PROCESS = path.resolve('packages/embedded-postgres/owner-process.fixture.mjs');

interface Told {
  readonly url?: string;
  readonly error?: string;
  readonly message?: string;
  readonly note?: string;
  readonly log?: string;
}

interface OwnerProcess {
  readonly processId: number;
  readonly told: readonly Told[];
  readonly server: Promise<string>;
  /** Its exit code, once its output is closed. */
  readonly closed: Promise<number | null>;
}

/** The embedded servers of one test, in a directory of its own. */
export class EmbeddedServers {
  readonly place: string;
  readonly dataDirectory: string;
  /** The lines that the servers of this process and of others have logged. */
  readonly logged: string[] = [];
  private readonly urls: string[] = [];
  private readonly servers: EmbeddedPostgres[] = [];
  private readonly children: ChildProcess[] = [];

  constructor() {
    // The system's own may be below a directory that the database account cannot pass, and that is a test of its own.
    this.place = realpathSync(mkdtempSync(path.join(tmpdir(), 'embedded-postgres-')));
    chmodSync(this.place, 0o755);
    this.dataDirectory = path.join(this.place, 'data');
  }

  /** Stops everything that the test has started, and checks that no line of a log has a password. */
  async end(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
    for (const child of this.children) child.kill('SIGKILL');
    // Not SIGKILL, after which the system would keep a piece of shared memory for a server that never comes back.
    for (const processId of this.serverProcesses()) sendSignal(processId, 'SIGINT');
    await until(() => this.serverProcesses().length === 0);
    rmSync(this.place, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    const passwords = this.urls.map((url) => new URL(url).password);
    ok(passwords.every((password) => password.length >= 32));
    deepEqual(
      this.logged.filter((line) => passwords.some((password) => line.includes(password))),
      [],
    );
  }

  start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
    return this.startEmbedded({ settings: { fsync: 'off' }, ...options });
  }

  /** Starts a server with the settings that it has outside of tests. */
  async startEmbedded(options: Partial<EmbeddedPostgresOptions>): Promise<EmbeddedPostgres> {
    const { dataDirectory } = this;
    return this.tracked(
      await startEmbeddedPostgres({ dataDirectory, log: (line) => this.logged.push(line), ...options }),
    );
  }

  async connect(): Promise<EmbeddedPostgres> {
    const { dataDirectory } = this;
    const settings = { fsync: 'off' };
    return this.tracked(
      await connectEmbeddedPostgres({ dataDirectory, log: (line) => this.logged.push(line), settings }),
    );
  }

  /** Has a process killed behind the test. */
  keep<Child extends ChildProcess>(child: Child): Child {
    this.children.push(child);
    return child;
  }

  /** Runs another process with a server, see owner-process.fixture.mjs. */
  runOwner(
    action: 'start' | 'connect',
    then: 'stay' | 'stop' | 'exit' | 'stop-on-signal',
    { detached = false, ...options }: Partial<EmbeddedPostgresOptions> & { detached?: boolean } = {},
  ): OwnerProcess {
    const allOptions = JSON.stringify({ dataDirectory: this.dataDirectory, settings: { fsync: 'off' }, ...options });
    const child = spawn(process.execPath, [OWNER_PROCESS, BUILT_MODULE, action, then, allOptions], {
      detached,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.keep(child);
    const told: Told[] = [];
    const server = new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the process ended with ${code} before it had a server`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const message = JSON.parse(line) as Told;
        told.push(message);
        if (message.log !== undefined) this.logged.push(message.log);
        if (message.error !== undefined) reject(new Error(`${message.error}: ${message.message}`));
        if (message.url !== undefined) {
          this.urls.push(message.url);
          resolve(message.url);
        }
      });
    });
    // Some tests are about other things than whether it got that far.
    server.catch(() => undefined);
    const closed = once(child, 'close').then(([code]) => code as number | null);
    return { processId: child.pid ?? 0, told, server, closed };
  }

  postmasterId(): number {
    return Number(
      readFileSync(path.join(clusterDirectory(this.dataDirectory), 'postmaster.pid'), 'utf8').split('\n')[0],
    );
  }

  /** The ids of all processes that were started with something in the directory of the test, other than its owners. */
  serverProcesses(): number[] {
    return listProcesses()
      .filter(({ command }) => command.some((argument) => argument.startsWith(this.place)))
      .map(({ processId }) => processId);
  }

  /** Copies the package with the binaries of PostgreSQL. */
  copyPackage(to: string): string {
    const target = path.join(this.place, to);
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o755 });
    cpSync(realpathSync(locateBinaries().directory), target, { recursive: true, verbatimSymlinks: true });
    return target;
  }

  private tracked(server: EmbeddedPostgres): EmbeddedPostgres {
    this.servers.push(server);
    this.urls.push(server.url);
    return server;
  }
}

/** The rows of a statement, on a connection of its own. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
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

/** A statement that gives the processes whose statement is like a pattern. */
export function runningLike(pattern: string): string {
  return `SELECT pid FROM pg_stat_activity WHERE query LIKE '${pattern}' AND state = 'active' AND pid <> pg_backend_pid()`;
}

/** Waits for a condition. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error('Waited too long');
    await sleep(10);
  }
}

/** Removes the links in a package with the binaries, which its scripts would have made. */
export function removeLinks(packageDirectory: string): void {
  const libraries = path.join(packageDirectory, 'native', 'lib');
  for (const entry of readdirSync(libraries, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) rmSync(path.join(libraries, entry.name));
  }
}

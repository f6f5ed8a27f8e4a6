import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { chooseAccount } from '../../../packages/embedded-postgres/account.js';
import { locateBinaries } from '../../../packages/embedded-postgres/binaries.js';
import { clusterDirectory } from '../../../packages/embedded-postgres/cluster.js';
import { startEmbeddedPostgres } from '../../../packages/embedded-postgres/index.js';
import { Postmaster, type PostmasterOptions } from '../../../packages/embedded-postgres/postmaster.js';
import { prepareBinaries } from '../../../packages/embedded-postgres/staging.js';
import { errorCode } from '../../../src/persistence/database-failures.js';

/** A PostgreSQL server that is not the service's own: it can be stopped, started at the same port, and frozen. */
export class PostgresServer {
  private constructor(
    private readonly dataDirectory: string,
    private readonly options: PostmasterOptions,
    /** Of a database on it. */
    private readonly anyUrl: string,
    private postmaster: Postmaster,
  ) {}

  /** Makes a server with data of its own and starts it. */
  static async create(): Promise<PostgresServer> {
    const dataDirectory = await temporaryDirectory('gatehouse-faults-');
    const log = (): undefined => undefined;
    // The embedded server knows how to make a cluster; from then on it is run by hand.
    const embedded = await startEmbeddedPostgres({ dataDirectory, log });
    await embedded.stop();
    const directory = clusterDirectory(dataDirectory);
    const account = chooseAccount(directory);
    const { postgres } = prepareBinaries(locateBinaries(), account, dataDirectory, log);
    const options = { program: postgres, clusterDirectory: directory, account, settings: {}, log };
    const postmaster = await Postmaster.launch(options, portOf(embedded.url));
    return new PostgresServer(dataDirectory, options, embedded.url, postmaster);
  }

  get password(): string {
    return new URL(this.anyUrl).password;
  }

  /** Makes a database. @param template what it is a copy of @returns its URL */
  async makeDatabase(name: string, template = 'template0'): Promise<string> {
    await query(this.anyUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
    return Object.assign(new URL(this.anyUrl), { pathname: `/${name}` }).href;
  }

  /** Shuts it down as for maintenance: connections are ended. */
  async stop(): Promise<void> {
    await this.postmaster.stop();
  }

  /** Starts it again and waits until it accepts connections. */
  async start(): Promise<void> {
    this.postmaster = await Postmaster.launch(this.options, portOf(this.anyUrl));
  }

  /** Ends all its processes as a loss of power does. */
  async kill(): Promise<void> {
    await this.signalAll('SIGKILL');
    await this.postmaster.ended;
  }

  /** Stops all its processes where they are: connections stay open, and nothing answers. */
  async freeze(): Promise<void> {
    await this.signalAll('SIGSTOP');
  }

  async thaw(): Promise<void> {
    await this.signalAll('SIGCONT');
  }

  /** How many connections to it are open, those included that it has not looked at yet. */
  async connections(): Promise<number> {
    const port = portOf(this.anyUrl).toString(16).toUpperCase().padStart(4, '0');
    const table = await readFile('/proc/net/tcp', 'utf8');
    // The remote address, and the state of those that are established.
    return table.split('\n').filter((line) => new RegExp(`^ *\\d+: \\S+ 0100007F:${port} 01 `).test(line)).length;
  }

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    await this.thaw();
    await this.postmaster.stop();
    await rm(this.dataDirectory, { recursive: true, force: true });
  }

  private async signalAll(signal: NodeJS.Signals): Promise<void> {
    const parent = this.postmaster.processId!;
    // The postmaster first: a frozen one makes no further process.
    process.kill(parent, signal);
    for (const child of await childrenOf(parent)) {
      try {
        process.kill(child, signal);
      } catch (error) {
        // Ended since it was listed.
        if (errorCode(error) !== 'ESRCH') throw error;
      }
    }
  }
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** A directory of its own that the account which runs PostgreSQL can reach. */
export async function temporaryDirectory(prefix: string): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), prefix));
  await chmod(directory, 0o755);
  return directory;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** The processes that a process has started and that still run. */
async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // A process that has ended since it was listed has no parent any more.
    const status = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The name of the process, in parentheses, may hold spaces; fields are counted from behind it.
    if (Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]) === parent) children.push(Number(name));
  }
  return children;
}

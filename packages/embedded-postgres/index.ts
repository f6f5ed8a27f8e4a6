import { setTimeout as sleep } from 'node:timers/promises';
import { chooseAccount } from './account.js';
import { locateBinaries, type Binaries } from './binaries.js';
import {
  clusterDirectory,
  ensureCluster,
  ensureServicePassword,
  findServicePassword,
  readPassword,
} from './cluster.js';
import { assertReachable, openDataDirectory } from './data-directory.js';
import { EmbeddedPostgresInUse } from './errors.js';
import { findFreePort } from './free-port.js';
import { endOrphanedProcesses } from './orphaned-processes.js';
import { findOwner, OwnerLock } from './owner-lock.js';
import { DataInUse, PortTaken, Postmaster, type PostmasterOptions } from './postmaster.js';
import { databaseUrl, ensureServiceDatabase, ownerCredentials, serviceCredentials } from './service-database.js';
import { prepareBinaries } from './staging.js';
import { Supervisor } from './supervisor.js';

export { defaultDataDirectory } from './data-directory.js';
export { EmbeddedPostgresFailed, EmbeddedPostgresInUse, EmbeddedPostgresUnavailable } from './errors.js';

const WAIT_FOR_OWNER_MS = 15_000;
const POLL_MS = 25;
const PORT_ATTEMPTS = 10;
/**
 * How long the system may take to clean up a process that has ended: for a moment it is no longer listed, but still holds
 * its shared memory.
 */
const PREDECESSOR_MS = 5_000;
const PREDECESSOR_POLL_MS = 100;

/** The options of an embedded server. */
export interface EmbeddedPostgresOptions {
  /** Contains the data, the lock and, if needed, a copy of the binaries. Created if absent. */
  readonly dataDirectory: string;
  /** Receives log lines about the server and from PostgreSQL. They never contain a password. */
  readonly log: (message: string) => void;
  /** How long to wait for another process to release the data directory, in milliseconds; 15000 by default. */
  readonly waitForOwnerMs?: number;
  /** PostgreSQL settings that override the defaults, e.g. `{ fsync: 'off' }` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The directory of the package with the binaries, if not the installed one. */
  readonly binariesDirectory?: string;
}

/** A PostgreSQL server on this machine. */
export interface EmbeddedPostgres {
  /**
   * `postgres://` with user, password, 127.0.0.1, port and the database `gatehouse`, for the superuser, who owns the tables.
   * Stays the same over restarts.
   */
  readonly url: string;
  /** The URL for the role of the service, which owns nothing. */
  readonly serviceUrl: string;
  /** Whether this process has started it. */
  readonly isOwn: boolean;
  /**
   * Never rejects. Resolves when the server has ended permanently: after stop(), or because it kept failing. For a server
   * that another process owns, resolves after stop().
   */
  readonly exited: Promise<void>;
  /** Stops the server, unless another process owns it, and resolves when it has ended. May be called again. */
  stop(): Promise<void>;
}

/**
 * Starts the server of a data directory as its owner and resolves when it accepts connections. If the server ends
 * unexpectedly it is restarted at the same URL. It does not prevent this process from exiting. Throws EmbeddedPostgresInUse
 * when another process owns the directory and does not release it, EmbeddedPostgresUnavailable when the server cannot run
 * here, EmbeddedPostgresFailed when PostgreSQL does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const packaged = locateBinaries(options.binariesDirectory);
  const dataDirectory = openDataDirectory(options.dataDirectory);
  const lock = await OwnerLock.acquire(dataDirectory, options.waitForOwnerMs ?? WAIT_FOR_OWNER_MS);
  try {
    return await startOwned(options, packaged, dataDirectory, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Connects a command to the server of a data directory: to that of another process, if one owns the directory, otherwise to
 * one that is started here and stopped by stop(). Throws as startEmbeddedPostgres does; EmbeddedPostgresInUse when the owner
 * is still starting its server after `waitForOwnerMs`.
 */
export async function connectEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDirectory = openDataDirectory(options.dataDirectory);
  const deadline = Date.now() + (options.waitForOwnerMs ?? WAIT_FOR_OWNER_MS);
  for (;;) {
    const owner = findOwner(dataDirectory);
    if (owner?.port !== undefined) return serverOfOtherProcess(urlsOf(owner.port, dataDirectory));
    if (owner === undefined) {
      try {
        return await startEmbeddedPostgres({ ...options, waitForOwnerMs: 0 });
      } catch (error) {
        // Another process has started a server in the meantime, which is used instead.
        if (!(error instanceof EmbeddedPostgresInUse) || Date.now() >= deadline) throw error;
      }
    } else if (Date.now() >= deadline) {
      throw new EmbeddedPostgresInUse(dataDirectory, owner.processId);
    }
    await sleep(POLL_MS);
  }
}

async function startOwned(
  options: EmbeddedPostgresOptions,
  packaged: Binaries,
  dataDirectory: string,
  lock: OwnerLock,
): Promise<EmbeddedPostgres> {
  const { log, settings = {} } = options;
  const cluster = clusterDirectory(dataDirectory);
  const account = chooseAccount(cluster);
  assertReachable(dataDirectory, account);
  await endOrphanedProcesses(cluster, account.userId, log);
  const binaries = prepareBinaries(packaged, account, dataDirectory, log);
  await ensureCluster(dataDirectory, binaries, account, settings.fsync !== 'off');

  const password = readPassword(dataDirectory);
  const servicePassword = ensureServicePassword(dataDirectory);
  const postmasterOptions: PostmasterOptions = {
    program: binaries.postgres,
    clusterDirectory: cluster,
    account,
    settings,
    log: (line) =>
      log(`postgres: ${line.replaceAll(password, '[redacted]').replaceAll(servicePassword, '[redacted]')}`),
  };
  const { postmaster, port } = await launchAtFreePort(postmasterOptions);
  try {
    await ensureServiceDatabase(port, ownerCredentials(password), serviceCredentials(servicePassword));
    lock.announce(port);
  } catch (error) {
    await postmaster.stop();
    throw error;
  }

  const relaunch = async (): Promise<Postmaster> => {
    await endOrphanedProcesses(cluster, account.userId, log);
    return Postmaster.launch(postmasterOptions, port);
  };
  const supervisor = new Supervisor(postmaster, relaunch, log);
  const exited = supervisor.finished.then(() => lock.release());
  return {
    ...urlsOf(port, dataDirectory),
    isOwn: true,
    exited,
    stop: async () => {
      await supervisor.stop();
      await exited;
    },
  };
}

async function launchAtFreePort(options: PostmasterOptions): Promise<{ postmaster: Postmaster; port: number }> {
  const deadline = Date.now() + PREDECESSOR_MS;
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    try {
      return { postmaster: await Postmaster.launch(options, port), port };
    } catch (error) {
      const isAnotherPortWorthTrying = error instanceof PortTaken && attempt < PORT_ATTEMPTS;
      const isWorthWaiting = error instanceof DataInUse && Date.now() < deadline;
      if (!isAnotherPortWorthTrying && !isWorthWaiting) throw error;
      if (isWorthWaiting) await sleep(PREDECESSOR_POLL_MS);
    }
  }
}

/** The URLs of a server for the owner of the tables and for the service. */
function urlsOf(port: number, dataDirectory: string): Pick<EmbeddedPostgres, 'url' | 'serviceUrl'> {
  const url = databaseUrl(port, ownerCredentials(readPassword(dataDirectory)));
  const password = findServicePassword(dataDirectory);
  // The owner of the server may be an earlier release, which has no such role.
  return { url, serviceUrl: password === undefined ? url : databaseUrl(port, serviceCredentials(password)) };
}

/** A server that another process owns: stop() leaves it running. */
function serverOfOtherProcess(urls: Pick<EmbeddedPostgres, 'url' | 'serviceUrl'>): EmbeddedPostgres {
  let release = (): void => undefined;
  const exited = new Promise<void>((resolve) => (release = resolve));
  const stop = (): Promise<void> => {
    release();
    return exited;
  };
  return { ...urls, isOwn: false, exited, stop };
}

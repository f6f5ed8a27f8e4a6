import type { Environment } from '../config/environment.js';
import { LEAST_CONNECTIONS } from '../config/share-of-worker.js';
import {
  connectEmbeddedPostgres,
  defaultDataDirectory,
  startEmbeddedPostgres,
} from '../../packages/embedded-postgres/index.js';

/** A database that is ready for this process. */
export interface OpenDatabase {
  /** The URL for the service. */
  readonly url: string;
  /** The URL for migrations: as the owner of the tables, and not through a pooler in transaction mode. */
  readonly migrationUrl: string;
  /** The data directory of the embedded server; undefined with DATABASE_URL. */
  readonly dataDirectory: string | undefined;
  /** Whether only this process uses it: an embedded server that it has started. */
  readonly isAlone: boolean;
  /** Resolves when an embedded server of this process has failed permanently; never with DATABASE_URL. */
  readonly exited: Promise<void>;
  /** Stops the server that this process has started; does nothing with DATABASE_URL. */
  close(): Promise<void>;
}

/**
 * Opens the database of DATABASE_URL, or the embedded server.
 *
 * @param mode `own` runs the embedded server as its owner; `share` uses one that another process runs, if one does
 * @param log receives the log lines of the embedded server
 */
export async function openDatabase(
  environment: Environment,
  mode: 'own' | 'share',
  log: (message: string) => void,
): Promise<OpenDatabase> {
  if (environment.databaseUrl !== undefined) {
    return {
      url: environment.databaseUrl,
      migrationUrl: environment.migrationDatabaseUrl ?? environment.databaseUrl,
      dataDirectory: undefined,
      isAlone: false,
      exited: new Promise(() => undefined),
      close: () => Promise.resolve(),
    };
  }
  const dataDirectory = environment.dataDirectory ?? defaultDataDirectory();
  const open = mode === 'own' ? startEmbeddedPostgres : connectEmbeddedPostgres;
  const server = await open({ dataDirectory, log, settings: { max_connections: String(connectionsOf(environment)) } });
  return {
    url: server.serviceUrl,
    migrationUrl: server.url,
    dataDirectory,
    isAlone: server.isOwn,
    exited: server.exited,
    close: () => server.stop(),
  };
}

/** At least twice PostgreSQL's default, and enough for the pools and lookups of all workers and the command line. */
function connectionsOf({ databasePoolSize, workers }: Environment): number {
  const pools = Math.max(databasePoolSize, workers * LEAST_CONNECTIONS);
  return Math.max(200, Math.ceil(pools * 1.5) + workers + 50);
}

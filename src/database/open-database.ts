import type { Environment } from '../config/environment.js';
import { connectEmbeddedPostgres, defaultDataDirectory, startEmbeddedPostgres } from './embedded/embedded-postgres.js';

/** A database that this process can use. */
export interface OpenDatabase {
  /** How the service reaches it. */
  readonly url: string;
  /** How to reach it for migrations: as the owner of the tables, on a connection that stays the same. */
  readonly migrationUrl: string;
  /** Where the embedded server keeps its data; undefined with DATABASE_URL. */
  readonly dataDirectory: string | undefined;
  /** Resolves when a database that this process runs is gone for good; never with DATABASE_URL. */
  readonly gone: Promise<void>;
  /** Ends what this process has started; nothing with DATABASE_URL. */
  close(): Promise<void>;
}

/**
 * The database of DATABASE_URL, or the embedded server.
 *
 * @param mode `own` runs the embedded server as its owner; `share` uses one that another process runs, if one does
 * @param log takes the embedded server's lines
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
      gone: new Promise(() => undefined),
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
    gone: server.exited,
    close: () => server.stop(),
  };
}

/** PostgreSQL's own default twice over, or what all processes together may open, with room for the command line. */
function connectionsOf({ workers, databasePoolSize }: Environment): number {
  return Math.max(200, workers * databasePoolSize + 50);
}

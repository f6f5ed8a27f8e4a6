import pg from 'pg';
import { PLANNING, type Planning } from './connection-options.js';
import { DatabaseUnreachable, ignoreConnectionError } from './database-failures.js';

/** How long the connection may take to be there, in milliseconds. */
const CONNECTING_MS = 10_000;

/**
 * The plan of a distributed statement is made for its parameters, because one of them says which node has the rows. And a statement over the
 * rows of all organizations takes one connection to each node: after one that took several, its transaction may not change a reference table,
 * as the first start does, which looks whether there is an organization and adds a user.
 */
const DISTRIBUTED_PLANNING: Planning = {
  ...PLANNING,
  plan_cache_mode: 'auto',
  'citus.multi_shard_modify_mode': 'sequential',
};

/**
 * How the statements of the service are planned in a database: in one with the extension citus (docs/deploy/citus.md) otherwise than
 * elsewhere.
 *
 * @param url a postgres:// URL
 * @throws DatabaseUnreachable
 */
export async function planningOf(url: string): Promise<Planning> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'gatehouse start',
    connectionTimeoutMillis: CONNECTING_MS,
  });
  client.on('error', ignoreConnectionError);
  try {
    await client.connect();
    const { rows } = await client.query<{ has_extension: boolean }>(
      `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS has_extension`,
    );
    return rows[0]!.has_extension ? DISTRIBUTED_PLANNING : PLANNING;
  } catch (error) {
    throw DatabaseUnreachable.because(error);
  } finally {
    await client.end();
  }
}

import pg from 'pg';
import { query } from './postgres-server.js';
import { becomesTrue } from './becomes-true.js';

/** How long writes are gathered at most, in milliseconds. */
const GATHERING_MS = 1_000;

/**
 * For the services whose writes are gathered: the time of their statements, long enough that a slow machine ends none of them while they wait
 * for the table and then for each other.
 */
export const PATIENT_WITH_LOCKS = { DATABASE_STATEMENT_TIMEOUT_MS: '20000' } as const;

/** What waits for a lock: all statements, or those that write. */
const MODES = { everything: 'ACCESS EXCLUSIVE', writes: 'SHARE' } as const;

/**
 * Holds up statements on a table, as another session that has work to do there.
 *
 * @returns lets go of it
 */
export async function lockTable(
  url: string,
  table: string,
  holdsUp: keyof typeof MODES = 'everything',
): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url, application_name: 'fault' });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${table} IN ${MODES[holdsUp]} MODE`);
  return () => client.end();
}

/** How many statements of services wait for a lock. */
export async function waitingIn(url: string): Promise<number> {
  const [row] = await query<{ count: string }>(
    url,
    `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'gatehouse service' AND wait_event_type = 'Lock'`,
  );
  return Number(row!.count);
}

/**
 * Makes requests meet: all have read what they go by before the first of them can write.
 *
 * Its services are to be {@link PATIENT_WITH_LOCKS}.
 *
 * @param enough how many writes to gather, at most
 * @returns what the requests gave, and how many writes went on at the same moment
 */
export async function meetAtTable<T>(
  url: string,
  table: string,
  enough: number,
  request: () => Promise<T>,
): Promise<{ outcome: T; met: number }> {
  const unlock = await lockTable(url, table, 'writes');
  const answer = request();
  let met = 0;
  await becomesTrue(async () => (met = await waitingIn(url)) >= enough, GATHERING_MS);
  await unlock();
  return { outcome: await answer, met };
}

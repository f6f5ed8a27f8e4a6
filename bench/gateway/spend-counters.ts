import { setTimeout as delay } from 'node:timers/promises';
import type { BenchDatabase } from '../support/database.js';
import type { BenchSpender } from '../support/generation.js';

/** Until requests are answered whose clients have left. */
const TIMEOUT_MS = 20_000;

/**
 * Compares what keys and their workspaces have spent with what their records cost, to the last digit, once nothing is reserved any more.
 *
 * @param spenders of one organization; each key is the only one of its workspace
 * @returns how many records they have
 * @throws Error when something stays reserved, or a counter differs
 */
export async function recordsOf(database: BenchDatabase, spenders: readonly BenchSpender[]): Promise<number> {
  const { organizationId } = spenders[0]!;
  const workspaceIds = spenders.map(({ workspaceId }) => workspaceId);
  const deadline = Date.now() + TIMEOUT_MS;
  while ((await reservationCount(database)) > 0) {
    if (Date.now() > deadline) throw new Error('reservations are left');
    await delay(50);
  }
  const [found] = await database.query<{ records: number; wrong: string[] | null }>(COUNTERS, [
    organizationId,
    workspaceIds,
  ]);
  const { records, wrong } = found!;
  if (wrong !== null) throw new Error(`counters that are not the sum of their records: ${wrong.join(', ')}`);
  return records;
}

/** One statement, because a request may still be settled. The windows of an interval have together what its records cost. */
const COUNTERS = `WITH recorded AS (
    SELECT workspace_id, key_id, count(*) AS records, coalesce(sum(cost_usd), 0) AS amount FROM generations
    WHERE organization_id = $1 AND workspace_id = ANY ($2) GROUP BY 1, 2
  ),
  counted AS (
    SELECT 'key' AS counter, key_id::text AS id, sum(amount_usd) AS amount FROM key_spend WHERE organization_id = $1 GROUP BY 2
    UNION ALL
    SELECT 'total', key_id::text, total_usd FROM key_spend_totals WHERE organization_id = $1
    UNION ALL
    SELECT "interval", subject_id, sum(amount_usd) FROM spend_windows
    WHERE organization_id = $1 AND subject = 'workspace' GROUP BY 1, 2
  ),
  expected AS (
    SELECT counter, CASE WHEN counter IN ('key', 'total') THEN key_id ELSE workspace_id END::text AS id, amount FROM recorded
    CROSS JOIN unnest(ARRAY['key', 'total', 'lifetime', 'monthly', 'weekly', 'daily']) AS counter
  )
  SELECT (SELECT coalesce(sum(records), 0)::int FROM recorded) AS records,
    array_agg(concat_ws(' ', counter, id, expected.amount, 'but', coalesce(counted.amount, 0)))
      FILTER (WHERE expected.amount <> coalesce(counted.amount, 0)) AS wrong
  FROM expected LEFT JOIN counted USING (counter, id)`;

async function reservationCount(database: BenchDatabase): Promise<number> {
  const [row] = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM spend_reservations');
  return row!.count;
}

import { query } from '../postgres-server.js';

/** What some keys have spent, as different tables have it; US dollars as decimal text. */
export interface KeysSpend {
  /** The sum of the costs of their records. */
  readonly recorded: string;
  /** The sum of the costs of records whose own provider key was used. */
  readonly recordedByok: string;
  /** Whether the records cost more than the limit. */
  readonly isOverLimit: boolean;
}

/** What the records of keys have cost. @param keyHashes in hexadecimal @param limitUsd what it is compared with */
export async function spendOf(url: string, keyHashes: readonly string[], limitUsd: number): Promise<KeysSpend> {
  const [row] = await query<KeysSpend>(
    url,
    `SELECT coalesce(sum(g.cost_usd), 0)::text AS recorded,
       coalesce(sum(g.cost_usd) FILTER (WHERE g.is_byok), 0)::text AS "recordedByok",
       coalesce(sum(g.cost_usd), 0) > $2::text::numeric AS "isOverLimit"
     FROM generations g JOIN api_keys k ON k.organization_id = g.organization_id AND k.id = g.key_id
     WHERE encode(k.hash, 'hex') = ANY ($1)`,
    [keyHashes, String(limitUsd)],
  );
  return row!;
}

/** A counter of spend that is not the sum of the costs of the records that it counts. */
export interface WrongCount {
  readonly counter: string;
  readonly id: string;
  readonly counted: string;
  readonly recorded: string;
}

const RECORDED = `coalesce(sum(cost_usd) FILTER (WHERE NOT is_byok), 0) AS amount,
         coalesce(sum(cost_usd) FILTER (WHERE is_byok), 0) AS byok`;

/**
 * Compares what keys, workspaces and members have spent, as limits are compared with it, with the sums of their records, to the last
 * digit. Everything must have been spent in the present month.
 *
 * @param since only keys, workspaces and members whose first record is not older count, because what others have spent was not recorded
 */
export function wrongCounts(url: string, organizationId: string, since: Date): Promise<WrongCount[]> {
  return query<WrongCount>(
    url,
    `WITH recorded AS (
       SELECT 'key' AS counter, key_id::text AS id, ${RECORDED} FROM generations
       WHERE organization_id = $1 AND created_at >= $2 GROUP BY key_id
       UNION ALL
       SELECT 'workspace lifetime', workspace_id::text, ${RECORDED} FROM generations
       WHERE organization_id = $1 AND created_at >= $2 GROUP BY workspace_id
       UNION ALL
       SELECT 'member monthly', user_id, ${RECORDED} FROM generations
       WHERE organization_id = $1 AND created_at >= $2 GROUP BY user_id
     ),
     counted AS (
       SELECT 'key' AS counter, key_id::text AS id, sum(amount_usd) AS amount, sum(byok_amount_usd) AS byok
       FROM key_spend WHERE organization_id = $1 GROUP BY key_id
       UNION ALL
       SELECT subject || ' ' || "interval", subject_id, amount_usd, byok_amount_usd FROM spend_windows
       WHERE organization_id = $1 AND ((subject = 'workspace' AND "interval" = 'lifetime')
         OR (subject = 'member' AND "interval" = 'monthly' AND first_day = date_trunc('month', now() AT TIME ZONE 'UTC')))
     )
     SELECT counter, id, coalesce(c.amount, 0) || ' and ' || coalesce(c.byok, 0) AS counted, r.amount || ' and ' || r.byok AS recorded
     FROM recorded r LEFT JOIN counted c USING (counter, id)
     WHERE r.amount <> coalesce(c.amount, 0) OR r.byok <> coalesce(c.byok, 0)`,
    [organizationId, since],
  );
}

/** How much is reserved for requests, over all organizations. */
export async function reservationCount(url: string): Promise<number> {
  const [row] = await query<{ count: string }>(url, 'SELECT count(*) FROM spend_reservations');
  return Number(row!.count);
}

import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import { type StatementRunner, Statements } from '../../../persistence/statements.js';

/** The beginning of the last period of a length in which a key has totals, from the end of an index. */
function lastOf(period: 'minute' | 'hour' | 'day'): string {
  return `(SELECT t.starts_at FROM usage_totals t
        WHERE t.organization_id = $1 AND t.period = '${period}' AND t.scope = 'key' AND t.key_id = asked.id
        ORDER BY t.starts_at DESC LIMIT 1)`;
}

/** When keys were last used. Totals of short periods are not kept for ever, so the longer ones say it of keys that rest. */
export const KEYS_LAST_USE = statement<
  { readonly id: string; readonly lastUsedAt: Date },
  [organizationId: string, keyIds: readonly string[]]
>(
  'keys_last_use',
  `SELECT used.id, used.at AS "lastUsedAt"
    FROM (
      SELECT asked.id, greatest(added.at, ${lastOf('minute')}, ${lastOf('hour')}, ${lastOf('day')}) AS at
      FROM unnest($2::text[]) AS asked (id)
      LEFT JOIN (
        SELECT a.key_id, max(a.starts_at) AS at FROM usage_additions a WHERE a.organization_id = $1 GROUP BY a.key_id
      ) AS added ON added.key_id = asked.id
    ) AS used
    WHERE used.at IS NOT NULL`,
);

/** When keys were last used, by the totals of usage (docs/interface/usage.md#totals): requests of inference write nothing for it. */
@Injectable()
export class KeyLastUseRepository {
  constructor(private readonly statements: Statements) {}

  /**
   * @param keyIds ids of keys of the organization
   * @returns by id the minute of the last request, answered or refused; after eight days the hour, after 93 the day. A key without one is absent
   */
  async of(
    organizationId: string,
    keyIds: readonly string[],
    runner: StatementRunner = this.statements,
  ): Promise<ReadonlyMap<string, Date>> {
    if (keyIds.length === 0) return new Map();
    const rows = await runner.rows(KEYS_LAST_USE, [organizationId, keyIds]);
    return new Map(rows.map(({ id, lastUsedAt }) => [id, lastUsedAt]));
  }
}

import { Injectable } from '@nestjs/common';
import { statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';
import type { CounterPlace } from '../limits/compiled-limit.js';

/** An SQL expression for the name of a limit of an organization, the same in every window. @param row of `LIMITS_OF_ORGANIZATION` */
export function limitName(row: string): string {
  return `concat_ws('/', ${row}.subject, ${row}.guardrail_id, CASE ${row}.subject WHEN 'guardrail' THEN ${row}.holder END,
    ${row}.holder_id, ${row}."interval")`;
}

/** Writes down that a limit refuses, where an alert may be about it. A later window is not replaced by an earlier one. */
export const NOTE_REFUSAL = statement<never, [organizationId: string, limitName: string, firstDay: string]>(
  'limit_refusal_note',
  `INSERT INTO limit_refusals (organization_id, limit_name, first_day, refused_at)
    SELECT $1, $2, $3::date, now()
    WHERE EXISTS (SELECT FROM alerts a WHERE a.organization_id = $1 AND a.kind IN ('budget', 'budget_forecast') AND a.enabled)
    ON CONFLICT (organization_id, limit_name) DO UPDATE
      SET first_day = greatest(limit_refusals.first_day, EXCLUDED.first_day), refused_at = EXCLUDED.refused_at`,
);

// In the order in which settlements lock counters: none waits for another that waits for it.
/** Writes down that counters refuse, where an alert may be about them. One that was not made yet is passed over. */
export const NOTE_COUNTER_REFUSALS = statement<
  never,
  [organizationId: string, limitIds: readonly string[], combinations: readonly string[], windowStarts: readonly Date[]]
>(
  'limit_counters_note_refusals',
  `WITH locked AS MATERIALIZED (
      SELECT c.limit_id, c.combination, c.window_start
      FROM (
        SELECT * FROM unnest($2::uuid[], $3::text[], $4::timestamptz[]) AS asked (limit_id, combination, window_start) ORDER BY 1, 2, 3
      ) AS place
      CROSS JOIN LATERAL (
        SELECT found.limit_id, found.combination, found.window_start FROM limit_counters found
        WHERE found.organization_id = $1 AND found.limit_id = place.limit_id AND found.combination = place.combination
          AND found.window_start = place.window_start FOR UPDATE) AS c
      WHERE EXISTS (SELECT FROM alerts a WHERE a.organization_id = $1 AND a.kind IN ('limit', 'budget_forecast') AND a.enabled)
    )
    UPDATE limit_counters c SET refused_at = now() FROM locked
    WHERE c.organization_id = $1 AND c.limit_id = locked.limit_id AND c.combination = locked.combination
      AND c.window_start = locked.window_start`,
);

/** When limits have last refused a request. */
@Injectable()
export class LimitRefusalsRepository {
  constructor(private readonly statements: Statements) {}

  /** @param name as {@link limitName} gives it @param firstDay of the window, as YYYY-MM-DD */
  async note(organizationId: string, name: string, firstDay: string): Promise<void> {
    await this.statements.write(NOTE_REFUSAL, [organizationId, name, firstDay]);
  }

  async noteCounters(organizationId: string, places: readonly CounterPlace[]): Promise<void> {
    await this.statements.write(NOTE_COUNTER_REFUSALS, [
      organizationId,
      places.map(({ limitId }) => limitId),
      places.map(({ combination }) => combination),
      places.map(({ windowStart }) => windowStart),
    ]);
  }
}

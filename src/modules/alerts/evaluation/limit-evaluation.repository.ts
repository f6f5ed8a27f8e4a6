import { Injectable } from '@nestjs/common';
import { shortestDecimal } from '../../../persistence/shortest-decimal.js';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import {
  type CombinationValues,
  countsByok,
  type LimitMeasure,
  type LimitWindow,
} from '../../limits/limit-vocabulary.js';
import { windowForecast } from '../../limits/window-forecast.js';
import type { AlertKind } from '../alert-kinds.js';
import { FORECAST_AFTER, type Occurrence } from './alert-evaluation.repository.js';

/** How many combinations of a limit an evaluation notifies of at most (docs/interface/alerts.md#once). */
const MOST_COMBINATIONS = 1_000;

/** What the subjects of notifications of combinations begin with; the id of the limit, `/` and the combination follow. */
const PREFIX = 'limit/';

/** The condition that an alert `a` is about a limit by condition and group `l`. */
const IS_ABOUT = `(a.limit_id = l.id OR a.workspace_id = l.workspace_id
        OR num_nonnulls(a.workspace_id, a.guardrail_id, a.key_id, a.limit_id) = 0)`;

/** A limit by condition and group that an alert is about. */
export interface AlertedLimit {
  readonly id: string;
  readonly measure: LimitMeasure;
  readonly window: LimitWindow | null;
  readonly includeByok: boolean;
}

/** The limits by condition and group of an organization that alerts of a kind are about. */
export const ALERTED_LIMITS = statement<AlertedLimit, [organizationId: string, kind: AlertKind]>(
  'alerts_alerted_limits',
  `SELECT l.id, l.measure, l."window", l.include_byok AS "includeByok" FROM limits l
    WHERE l.organization_id = $1 AND EXISTS (
      SELECT FROM alerts a WHERE a.organization_id = $1 AND a.kind = $2 AND a.enabled AND ${IS_ABOUT})
    ORDER BY l.id`,
);

/** A combination of a limit by condition and group that an alert is about. */
export interface AlertedCombination extends Occurrence {
  readonly limitId: string;
  readonly limitName: string;
  readonly values: CombinationValues;
  readonly measure: LimitMeasure;
  readonly window: LimitWindow | null;
  /** In the measure of the limit, with the exception that applies. */
  readonly amount: number;
  /** As decimal text. */
  readonly used: string;
  /** Whether it refuses requests: it is used up, or what is left of it was too little for one. */
  readonly isRefusing: boolean;
}

/** A combination that will be met in its window. */
export interface ForecastCombination extends AlertedCombination {
  readonly metAt: Date;
}

// Requests at the same time have no window: what refuses them counts for a day. What does not differ by combination is found once.
/**
 * A SELECT of the combinations of a limit in some windows, with its columns, their `amount`, what they have `used`, and whether they
 * have refused a request.
 */
const COMBINATIONS = `WITH known AS MATERIALIZED (
        SELECT l.id, l.workspace_id, l.name, l.measure, l."window", l.enforcement, l.alert_at, l.amount AS shown_amount,
          ${shortestDecimal('l.amount')} AS amount, (SELECT min(${shortestDecimal('share')}) FROM unnest(l.alert_at) AS share) AS least_share,
          date_trunc('day', now(), 'UTC') AS midnight
        FROM limits l WHERE l.organization_id = $1 AND l.id = $2::uuid
      )
      SELECT known.id, known.workspace_id, known.name, known.measure, known."window", known.enforcement, known.alert_at, known.least_share,
        c.combination, c."values",
        CASE WHEN known."window" IS NULL THEN known.midnight ELSE c.window_start END AS window_start,
        coalesce(e.amount, known.shown_amount) AS shown_amount, coalesce(${shortestDecimal('e.amount')}, known.amount) AS amount,
        c.amount + CASE WHEN $4 THEN c.byok_amount ELSE 0 END AS used,
        known.enforcement = 'enforce' AND c.refused_at IS NOT NULL AND (known."window" IS NOT NULL OR c.refused_at >= known.midnight)
          AS has_refused
      FROM known JOIN limit_counters c ON c.organization_id = $1 AND c.limit_id = known.id AND c.window_start = ANY ($3::timestamptz[])
      LEFT JOIN limit_exceptions e ON e.organization_id = $1 AND e.limit_id = known.id AND e.combination = c.combination
        AND (e.until IS NULL OR e.until > now())`;

/** The highest share of those that a limit `l` names of which so much is used; null for none. Most combinations have not used the lowest. */
const HIGHEST_SHARE = `CASE WHEN l.used >= l.amount * l.least_share AND l.amount > 0 AND l.measure <> 'concurrent' THEN (
          SELECT max(share) FROM unnest(l.alert_at) AS share WHERE l.used >= l.amount * ${shortestDecimal('share')})
        END`;

/** The subject of notifications of a combination `l`. */
const SUBJECT = `'${PREFIX}' || l.id || '/' || l.combination`;

/** The highest share of a limit `l` that has to be notified: the whole of it from its first refusal on; null for none. */
const CROSSED = `SELECT greatest(${HIGHEST_SHARE}, CASE WHEN l.has_refused THEN 1 END) AS threshold`;

/**
 * A SELECT of combinations that alerts of a kind are about and that have met something, those first of which most is used. Nothing is found
 * where the same or a higher share of one was notified in its window.
 *
 * @param met a SELECT of its `threshold` for a combination `l`, which is null where it is not met
 * @param shown further columns
 */
const newCombinations = (
  kind: AlertKind,
  met: string,
  shown = '',
): string => `SELECT a.id AS "alertId", ${SUBJECT} AS subject,
      l.window_start AS "windowStart", met.threshold, false AS "isPassed", l.id AS "limitId", l.name AS "limitName", l."values", l.measure,
      l."window", l.shown_amount AS amount, l.used::text AS used,
      l.has_refused OR l.enforcement = 'enforce' AND l.used >= l.amount AS "isRefusing"${shown}
    FROM (${COMBINATIONS}) AS l
    CROSS JOIN LATERAL (${met}) AS met
    JOIN alerts a ON a.organization_id = $1 AND a.kind = '${kind}' AND a.enabled AND ${IS_ABOUT}
    WHERE met.threshold IS NOT NULL AND NOT EXISTS (
      SELECT FROM alert_notifications n WHERE n.organization_id = $1 AND n.alert_id = a.id AND n.subject = ${SUBJECT}
        AND n.window_start = l.window_start AND n.threshold >= met.threshold)
    ORDER BY l.used / nullif(l.amount, 0) DESC NULLS LAST, l.combination, l.window_start LIMIT ${MOST_COMBINATIONS}`;

/** The combinations of a limit of which a share was used that the limit names, or that have begun to refuse. */
export const CROSSED_COMBINATIONS = statement<
  AlertedCombination,
  [organizationId: string, limitId: string, windowStarts: readonly Date[], includesByok: boolean]
>('alerts_crossed_combinations', newCombinations('limit', CROSSED));

const FORECAST = windowForecast({
  used: 'l.used',
  limit: 'l.amount',
  start: '($3::timestamptz[])[1]',
  end: '$5::timestamptz',
  leastShare: FORECAST_AFTER,
});

/** The combinations of a limit that are not met, and will be before their window ends at the pace that it had so far. */
export const FORECAST_COMBINATIONS = statement<
  ForecastCombination,
  [organizationId: string, limitId: string, windowStarts: readonly Date[], includesByok: boolean, windowEnd: Date]
>(
  'alerts_forecast_combinations',
  newCombinations(
    'budget_forecast',
    `SELECT 1::double precision AS threshold, forecast.met_at FROM (${FORECAST}) AS forecast
      WHERE l.used < l.amount AND forecast.met_at IS NOT NULL`,
    ', met.met_at AS "metAt"',
  ),
);

// Deliveries are given up after a day.
/**
 * Forgets notifications of combinations of limits whose counters are gone, with their deliveries: of windows of a minute there may be many.
 */
export const FORGET_COMBINATIONS = statement<never, [organizationId: string]>(
  'alerts_forget_combinations',
  `DELETE FROM alert_notifications n
    WHERE n.organization_id = $1 AND n.subject LIKE '${PREFIX}%' AND n.created_at < now() - interval '2 days' AND NOT EXISTS (
      SELECT FROM limit_counters c WHERE c.organization_id = $1
        AND c.limit_id = CASE WHEN n.subject LIKE '${PREFIX}%' THEN substr(n.subject, ${PREFIX.length + 1}, 36)::uuid END
        AND c.combination = substr(n.subject, ${PREFIX.length + 38}) AND c.window_start = n.window_start)`,
);

/** What alerts on limits by condition and group are about. */
@Injectable()
export class LimitEvaluationRepository {
  constructor(private readonly statements: Statements) {}

  async limits(organizationId: string, kind: AlertKind): Promise<AlertedLimit[]> {
    return this.statements.bulk.rows(ALERTED_LIMITS, [organizationId, kind]);
  }

  /** Combinations of which a share is used, or that refuse, as far as they are not written down: some of them. */
  async crossed(
    organizationId: string,
    limit: AlertedLimit,
    windowStarts: readonly Date[],
  ): Promise<AlertedCombination[]> {
    const values = [organizationId, limit.id, windowStarts, countsByok(limit)] as const;
    return this.statements.bulk.rows(CROSSED_COMBINATIONS, [...values]);
  }

  /** Combinations that will be met in a window, as far as they are not written down: some of them. */
  async forecast(
    organizationId: string,
    limit: AlertedLimit,
    window: { readonly start: Date; readonly end: Date },
  ): Promise<ForecastCombination[]> {
    const values = [organizationId, limit.id, [window.start], countsByok(limit), window.end] as const;
    return this.statements.bulk.rows(FORECAST_COMBINATIONS, [...values]);
  }

  /** Forgets what an organization needs no more. */
  async forgetOld(organizationId: string): Promise<void> {
    await this.statements.bulk.write(FORGET_COMBINATIONS, [organizationId]);
  }
}

import { shortestDecimal } from '../../persistence/shortest-decimal.js';
import { guardrailsOfMember } from '../limits/member-guardrails.js';
import { countedKeySpend, keySpendIn } from './key-totals.js';
import { SPEND_INTERVALS, type SpendInterval, TODAY, widthOrderOf, firstDayOfWindow } from './spend-interval.js';

/** Whose a limit can be. */
export const LIMIT_SUBJECTS = ['workspace', 'key', 'guardrail'] as const;

/** Whose limit it is. */
export type LimitSubject = (typeof LIMIT_SUBJECTS)[number];

/** A limit that is met or exceeded already. */
export interface MetLimit {
  readonly subject: LimitSubject;
  readonly interval: SpendInterval;
  /** US dollars. */
  readonly limitUsd: number;
  /** The guardrail whose budget it is; null for another limit. */
  readonly guardrailId: string | null;
}

/** A guardrail that only observes, whose budget is met already. */
export interface MetObserver {
  readonly id: string;
  readonly name: string;
  /** Whether the budget is zero, which stops what costs nothing, too. */
  readonly isStopping: boolean;
}

/** The limits that apply to a key. */
export interface LimitsInForce {
  /** The broadest of those that are met already and refuse; null for none. */
  readonly met: MetLimit | null;
  /** Whether one that refuses is zero, which stops what costs nothing, too. */
  readonly isStopped: boolean;
  /** Null for none. */
  readonly observing: readonly MetObserver[] | null;
}

/** The windows in which limits are compared. */
interface Day {
  /** An SQL expression for a day in the windows, in UTC. */
  readonly day: string;
  /** Gives an SQL expression for what the key has spent in its window of an interval. */
  readonly keySpend: typeof keySpendIn;
}

/**
 * A SELECT of every limit that applies to a key: the budgets of its workspace, its own limit, and the budgets of the guardrails that
 * apply to it, each with what its holder has spent in the window (docs/budgets.md#whose-spend). Its rows have `rank` (the broadest
 * subject first), `subject`, `guardrail_id`, `holder` (`workspace`, `key` or `member`) and `holder_id`, `interval`, `first_day` of the
 * window, `limit_usd`, `spent_usd`, `includes_byok` (whether usage through the organization's own provider keys counts), and `observer`, the name of a
 * guardrail that only observes (docs/interface/guardrails.md#observing), or null for a limit that refuses.
 *
 * The first parameter of the statement is the organization, `k` the key in `api_keys` and `w` its workspace, whose columns may be null.
 */
export function limitsOfKey({ day, keySpend }: Day): string {
  return `SELECT 1 AS rank, 'workspace' AS subject, NULL::uuid AS guardrail_id, 'workspace' AS holder, w.id::text AS holder_id,
            b."interval", ${firstDayOfWindow('b."interval"', day)} AS first_day, ${shortestDecimal('b.limit_usd')} AS limit_usd,
            ${countedIn('w.include_byok_in_budgets')} AS spent_usd, w.include_byok_in_budgets AS includes_byok,
            NULL::text AS observer
          FROM workspace_budgets b LEFT JOIN spend_windows s ON ${isWindow('workspace', 'w.id::text', 'b."interval"', day)}
          WHERE b.organization_id = $1 AND b.workspace_id = w.id
          UNION ALL
          SELECT 2, 'key', NULL, 'key', k.id::text, coalesce(k.limit_reset, 'lifetime'),
            ${firstDayOfWindow(`coalesce(k.limit_reset, 'lifetime')`, day)}, ${shortestDecimal('k.limit_usd')},
            ${countedKeySpend('k.limit_reset', 'k.include_byok_in_limit', keySpend)}, k.include_byok_in_limit, NULL
          FROM (VALUES (1)) AS one LEFT JOIN key_spend_totals totals ON totals.organization_id = $1 AND totals.key_id = k.id
          WHERE k.limit_usd IS NOT NULL
          UNION ALL
          SELECT 3, 'guardrail', held.guardrail_id, CASE WHEN held.by_member THEN 'member' ELSE 'key' END,
            CASE WHEN held.by_member THEN k.user_id ELSE k.id::text END,
            g.reset_interval, ${firstDayOfWindow('g.reset_interval', day)}, ${shortestDecimal('g.limit_usd')},
            CASE WHEN held.by_member THEN ${countedIn('g.include_byok_in_budgets')}
              ELSE ${countedKeySpend('g.reset_interval', 'g.include_byok_in_budgets', keySpend)} END, g.include_byok_in_budgets,
            CASE g.enforcement WHEN 'observe' THEN g.name END
          FROM (VALUES
            (w.default_guardrail_id, false),
            ${GUARDRAILS_OF_OWNER.map((id) => `(${id}, true)`).join(',\n            ')},
            ((SELECT a.guardrail_id FROM guardrail_key_assignments a
              WHERE a.organization_id = $1 AND a.key_id = k.id), false)) AS held (guardrail_id, by_member)
          CROSS JOIN LATERAL (${LIMITED_GUARDRAIL}) AS g
          LEFT JOIN key_spend_totals totals
            ON NOT held.by_member AND totals.organization_id = $1 AND totals.key_id = k.id
          LEFT JOIN spend_windows s ON held.by_member AND ${isWindow('member', 'k.user_id', 'g.reset_interval', day)}
          WHERE g.limit_usd IS NOT NULL`;
}

const GUARDRAILS_OF_OWNER = guardrailsOfMember('k.user_id', 'w.id');

// The limit has each guardrail found by its id, and not among all guardrails of the organization.
const LIMITED_GUARDRAIL = `SELECT limited.limit_usd, limited.reset_interval, limited.include_byok_in_budgets, limited.enforcement,
              limited.name FROM guardrails limited
            WHERE limited.organization_id = $1 AND limited.id = held.guardrail_id LIMIT 1`;

/** US dollars: a limit below it is zero. */
const LEAST_LIMIT = '1e-18';

/** What applies to a key of whose limits none is met. */
export const NO_LIMIT_MET: LimitsInForce = { met: null, isStopped: false, observing: null };

/**
 * An SQL expression for the limits that apply to a key now ({@link LimitsInForce} as JSON), or null where none does, with the names of
 * {@link limitsOfKey} (docs/budgets.md#refusals).
 */
export const LIMITS_IN_FORCE = `(SELECT json_build_object('met', (array_agg(
          json_build_object('subject', l.subject, 'interval', l."interval", 'limitUsd', l.limit_usd, 'guardrailId', l.guardrail_id)
          ORDER BY l.rank, ${widthOrderOf('l."interval"')}) FILTER (WHERE l.spent_usd >= l.limit_usd AND l.observer IS NULL))[1],
          'isStopped', bool_or(l.limit_usd < ${LEAST_LIMIT} AND l.observer IS NULL),
          'observing', json_agg(json_build_object(
            'id', l.guardrail_id, 'name', l.observer, 'isStopping', l.limit_usd < ${LEAST_LIMIT}))
          FILTER (WHERE l.spent_usd >= l.limit_usd AND l.observer IS NOT NULL))
        FROM (${limitsOfKey({ day: TODAY, keySpend: keySpendIn })}) AS l HAVING count(*) > 0)`;

/** The condition that `s` is a window of a subject. */
export function isWindow(subject: 'member' | 'workspace', id: string, interval: string, day: string): string {
  return `s.organization_id = $1 AND s.subject = '${subject}' AND s.subject_id = ${id} AND s."interval" = ${interval}
            AND s.first_day = ${firstDayOfWindow(interval, day)}`;
}

/** What a window `s`, which may be missing, has that counts. @param includesByok an SQL expression for whether own provider keys count */
export function countedIn(includesByok: string): string {
  return `coalesce(s.amount_usd + CASE WHEN ${includesByok} THEN s.byok_amount_usd ELSE 0 END, 0)`;
}

/** The first days of the windows that a day is in, as JSON by interval. @param day an SQL expression for it */
export function firstDaysOf(day: string): string {
  const pairs = SPEND_INTERVALS.map((interval) => `'${interval}', ${firstDayOfWindow(`'${interval}'`, day)}`);
  return `json_build_object(${pairs.join(', ')})`;
}

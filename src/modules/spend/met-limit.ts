import { countedKeySpend } from './key-totals.js';
import { presentWindowOf, type SpendInterval, widthOrderOf } from './spend-interval.js';

/** A limit that is met or exceeded already. */
export interface MetLimit {
  readonly subject: 'workspace' | 'key' | 'guardrail';
  readonly interval: SpendInterval;
  /** US dollars. */
  readonly limitUsd: number;
}

const WORKSPACE_BUDGET = `SELECT ${describedAs('workspace', 'b."interval"', 'b.limit_usd')}
          FROM workspace_budgets b LEFT JOIN spend_windows s ON ${presentWindow('workspace', 'w.id::text', 'b."interval"')}
          WHERE b.organization_id = $1 AND b.workspace_id = w.id
            AND ${countedIn('w.include_byok_in_budgets')} >= b.limit_usd::numeric
          ORDER BY ${widthOrderOf('b."interval"')} LIMIT 1`;

const KEY_LIMIT = `SELECT ${describedAs('key', `coalesce(k.limit_reset, 'lifetime')`, 'k.limit_usd')}
          FROM (VALUES (1)) AS one LEFT JOIN key_spend_totals totals ON totals.organization_id = $1 AND totals.key_id = k.id
          WHERE k.limit_usd IS NOT NULL
            AND ${countedKeySpend('k.limit_reset', 'k.include_byok_in_limit')} >= k.limit_usd::numeric`;

// The limit has each guardrail found by its id, and not among all guardrails of the organization.
const GUARDRAIL_BUDGET = `SELECT ${describedAs('guardrail', 'g.reset_interval', 'g.limit_usd')}
          FROM (VALUES
            (w.default_guardrail_id, false),
            ((SELECT a.guardrail_id FROM guardrail_member_assignments a
              WHERE a.organization_id = $1 AND a.user_id = k.user_id), true),
            ((SELECT a.guardrail_id FROM guardrail_key_assignments a
              WHERE a.organization_id = $1 AND a.key_id = k.id), false)) AS held (guardrail_id, by_member)
          CROSS JOIN LATERAL (
            SELECT limited.limit_usd, limited.reset_interval, limited.include_byok_in_budgets FROM guardrails limited
            WHERE limited.organization_id = $1 AND limited.id = held.guardrail_id LIMIT 1) AS g
          LEFT JOIN key_spend_totals totals
            ON NOT held.by_member AND totals.organization_id = $1 AND totals.key_id = k.id
          LEFT JOIN spend_windows s ON held.by_member AND ${presentWindow('member', 'k.user_id', 'g.reset_interval')}
          WHERE g.limit_usd IS NOT NULL AND CASE WHEN held.by_member THEN ${countedIn('g.include_byok_in_budgets')}
            ELSE ${countedKeySpend('g.reset_interval', 'g.include_byok_in_budgets')} END >= g.limit_usd::numeric
          ORDER BY ${widthOrderOf('g.reset_interval')} LIMIT 1`;

/**
 * An SQL expression for the broadest limit of a key that is met already ({@link MetLimit} as JSON), or null: a budget of its workspace,
 * its own limit, the budget of a guardrail that applies to it (docs/budgets.md#refusals).
 *
 * The first parameter of the statement is the organization, `k` the key in `api_keys` and `w` its workspace, whose columns may be null.
 */
export const MET_LIMIT = `coalesce(
        (${WORKSPACE_BUDGET}),
        (${KEY_LIMIT}),
        (${GUARDRAIL_BUDGET})
      )`;

function describedAs(subject: MetLimit['subject'], interval: string, limit: string): string {
  return `json_build_object('subject', '${subject}', 'interval', ${interval}, 'limitUsd', ${limit})`;
}

/** Where `s` is the present window of a subject. */
function presentWindow(subject: 'member' | 'workspace', id: string, interval: string): string {
  return `s.organization_id = $1 AND s.subject = '${subject}' AND s.subject_id = ${id} AND s."interval" = ${interval}
            AND s.first_day = ${presentWindowOf(interval)}`;
}

function countedIn(includesByok: string): string {
  return `coalesce(s.amount_usd + CASE WHEN ${includesByok} THEN s.byok_amount_usd ELSE 0 END, 0)`;
}

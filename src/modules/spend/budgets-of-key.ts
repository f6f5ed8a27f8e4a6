import { keySpendIn } from './key-totals.js';
import { limitsOfKey } from './limits-of-key.js';
import { endOfWindow, type SpendInterval, TODAY, widthOrderOf } from './spend-interval.js';

/** Where a budget of a key comes from, and whose spend counts in it (docs/budgets.md#whose-spend). */
export const KEY_BUDGET_SCOPES = ['workspace', 'key_limit', 'workspace_default_key', 'member', 'api_key'] as const;

export type KeyBudgetScope = (typeof KEY_BUDGET_SCOPES)[number];

/** A limit that applies to a key, with what its holder has spent. Amounts are US dollars. */
export interface KeyBudgetRow {
  readonly scope: KeyBudgetScope;
  /** The id of the budget of a workspace; null for other scopes. */
  readonly budgetId: string | null;
  /** The guardrail that has the limit; null for the others. */
  readonly guardrailId: string | null;
  readonly interval: SpendInterval;
  readonly includesByok: boolean;
  readonly limitUsd: number;
  readonly spentUsd: number;
  /** Below 0 where more was spent than the limit. */
  readonly remainingUsd: number;
  /** ISO 8601; null for the lifetime. */
  readonly resetsAt: string | null;
}

/**
 * An SQL expression for the limits that apply to a key now and refuse ({@link KeyBudgetRow} as a JSON array), the broadest first; empty for none,
 * and for a management key, which spends nothing. The first parameter of the statement is the organization.
 *
 * @param keyId an SQL expression for the id of the key
 * @param workspaceId an SQL expression for its workspace, or that which stands for it
 */
export function budgetsOfKey(keyId: string, workspaceId: string): string {
  return `(SELECT coalesce(json_agg(json_build_object('scope', b.scope, 'budgetId', b.budget_id, 'guardrailId', b.guardrail_id,
      'interval', b."interval", 'includesByok', b.includes_byok, 'limitUsd', b.limit_usd, 'spentUsd', b.spent_usd,
      'remainingUsd', b.limit_usd - b.spent_usd, 'resetsAt', to_char(b.resets_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      ORDER BY b.rank, ${widthOrderOf('b."interval"')}, b.scope), '[]')
    FROM (
      SELECT DISTINCT l.rank, l.guardrail_id, l."interval", l.includes_byok, l.limit_usd, l.spent_usd,
        ${endOfWindow('l."interval"', 'l.first_day')} AS resets_at,
        CASE WHEN l.subject = 'workspace' THEN 'workspace' WHEN l.subject = 'key' THEN 'key_limit'
          WHEN l.holder = 'member' THEN 'member' WHEN l.guardrail_id = w.default_guardrail_id THEN 'workspace_default_key'
          ELSE 'api_key' END AS scope,
        CASE WHEN l.subject = 'workspace' THEN (
          SELECT wb.id FROM workspace_budgets wb
          WHERE wb.organization_id = $1 AND wb.workspace_id = w.id AND wb."interval" = l."interval"
        ) END AS budget_id
      FROM api_keys k
      LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = ${workspaceId}
      CROSS JOIN LATERAL (${limitsOfKey({ day: TODAY, keySpend: keySpendIn })}) AS l
      WHERE k.organization_id = $1 AND k.id = ${keyId} AND k.kind = 'api_key' AND l.observer IS NULL
    ) AS b)`;
}

import { shortestDecimal } from '../../persistence/shortest-decimal.js';
import { countedKeySpend } from './key-totals.js';
import { countedIn, isWindow } from './limits-of-key.js';
import { firstDayOfWindow, TODAY } from './spend-interval.js';

const KEY_INTERVAL = `coalesce(k.limit_reset, 'lifetime')`;

/**
 * A SELECT of every limit of an organization: the budgets of workspaces, the limits of keys, and the budgets of guardrails for each of their
 * holders, each with what its holder has spent in the present window (docs/budgets.md#whose-spend). Its rows have `subject`, `guardrail_id`,
 * `holder` (`workspace`, `key` or `member`), `holder_id`, `"interval"`, `first_day` of the window, and `limit_usd` and `spent_usd` in US
 * dollars, as `limitsOfKey` gives them for one key. The first parameter of the statement is the organization.
 */
export const LIMITS_OF_ORGANIZATION = `SELECT 'workspace' AS subject, NULL::uuid AS guardrail_id, 'workspace' AS holder,
    w.id::text AS holder_id, b."interval", ${firstDayOfWindow('b."interval"', TODAY)} AS first_day,
    ${shortestDecimal('b.limit_usd')} AS limit_usd, ${countedIn('w.include_byok_in_budgets')} AS spent_usd
  FROM workspace_budgets b JOIN workspaces w ON w.organization_id = $1 AND w.id = b.workspace_id
  LEFT JOIN spend_windows s ON ${isWindow('workspace', 'w.id::text', 'b."interval"', TODAY)}
  WHERE b.organization_id = $1
  UNION ALL
  SELECT 'key', NULL, 'key', k.id::text, ${KEY_INTERVAL}, ${firstDayOfWindow(KEY_INTERVAL, TODAY)},
    ${shortestDecimal('k.limit_usd')}, ${countedKeySpend('k.limit_reset', 'k.include_byok_in_limit')}
  FROM api_keys k LEFT JOIN key_spend_totals totals ON totals.organization_id = $1 AND totals.key_id = k.id
  WHERE k.organization_id = $1 AND k.limit_usd IS NOT NULL
  UNION ALL
  SELECT 'guardrail', g.id, held.holder, held.holder_id, g.reset_interval, ${firstDayOfWindow('g.reset_interval', TODAY)},
    ${shortestDecimal('g.limit_usd')}, CASE held.holder WHEN 'member' THEN ${countedIn('g.include_byok_in_budgets')}
      ELSE ${countedKeySpend('g.reset_interval', 'g.include_byok_in_budgets')} END
  FROM guardrails g CROSS JOIN LATERAL (
    SELECT 'key' AS holder, a.key_id AS key_id, a.key_id::text AS holder_id FROM guardrail_key_assignments a
    WHERE a.organization_id = $1 AND a.guardrail_id = g.id
    UNION
    SELECT 'key', k.id, k.id::text FROM workspaces w JOIN api_keys k ON k.organization_id = $1 AND (
      k.workspace_id = w.id OR k.workspace_id IS NULL AND w.is_default)
    WHERE w.organization_id = $1 AND w.default_guardrail_id = g.id
    UNION
    SELECT 'member', NULL, a.user_id FROM member_guardrails a
    WHERE a.organization_id = $1 AND a.guardrail_id = g.id) AS held
  LEFT JOIN key_spend_totals totals ON held.holder = 'key' AND totals.organization_id = $1 AND totals.key_id = held.key_id
  LEFT JOIN spend_windows s ON held.holder = 'member' AND ${isWindow('member', 'held.holder_id', 'g.reset_interval', TODAY)}
  WHERE g.organization_id = $1 AND g.limit_usd IS NOT NULL`;

import type { Permission } from '../../auth/permissions.js';
import { DATA_REGIONS } from '../../config/data-region.js';
import type { CurrentKey, Key, KeyBudget, KeyUsage } from './dto/key.dto.js';
import type { CurrentKeyRow, KeyWithSpend } from './key-with-spend.js';
import type { KeyBudgetRow } from '../spend/budgets-of-key.js';
import { toRateLimits } from '../rates/rate-limits.js';

/** There is no limit on requests. The field is for clients that still read it. */
const NO_RATE_LIMIT = { requests: -1, interval: '10s', note: 'This field is deprecated and safe to ignore.' };

/** Gatehouse has no daily allowance of requests to free models. */
const NO_FREE_REQUESTS = { limit: 0, used: 0, remaining: 0 };

/** A key as the interface shows it. @param lastUsedAt null where it was never used */
export function toKeyResponse(key: KeyWithSpend, lastUsedAt: Date | null): Key {
  return {
    hash: key.hash.toString('hex'),
    name: key.name,
    disabled: key.disabled,
    suspension_causes: key.suspensionCauses,
    allowed_addresses: key.allowedAddresses,
    ...(key.labels !== null && { labels: key.labels }),
    ...(key.boundUser !== null && { bound_user: key.boundUser }),
    ...usageOf(key),
    created_at: key.createdAt.toISOString(),
    updated_at: key.updatedAt?.toISOString() ?? null,
    // A text to clients of the public interface, also where there is none.
    workspace_id: key.shownWorkspaceId ?? '',
    external_user: key.externalUser,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

/** Maps a key to the response for its owner. @param permissions null for a key that needs none */
export function toCurrentKeyResponse(key: CurrentKeyRow, permissions: readonly Permission[] | null): CurrentKey {
  const isManagementKey = key.kind === 'management_key';
  const budgets = key.budgets.map(toBudget);
  return {
    ...usageOf(key),
    is_free_tier: false,
    permissions: permissions === null ? null : [...permissions],
    is_management_key: isManagementKey,
    is_provisioning_key: isManagementKey,
    rate_limit: NO_RATE_LIMIT,
    organization_id: key.organizationId,
    workspace_id: key.shownWorkspaceId,
    allowed_data_regions: DATA_REGIONS.filter((region) =>
      (key.dataRegionLists ?? []).every((regions) => regions.includes(region)),
    ),
    free_model_daily_requests: NO_FREE_REQUESTS,
    budgets,
    effective_budget: tightestOf(budgets),
  };
}

function toBudget(row: KeyBudgetRow): KeyBudget {
  return {
    scope: row.scope,
    budget_id: row.budgetId,
    guardrail_id: row.guardrailId,
    reset_interval: row.interval === 'lifetime' ? null : row.interval,
    resets_at: row.resetsAt,
    include_byok: row.includesByok,
    limit_usd: row.limitUsd,
    spend_usd: row.spentUsd,
    remaining_usd: row.remainingUsd,
  };
}

/** The budget of which the least is left, the broadest of several; null without any. */
function tightestOf(budgets: readonly KeyBudget[]): KeyBudget | null {
  return budgets.reduce<KeyBudget | null>(
    (least, budget) => (least === null || budget.remaining_usd < least.remaining_usd ? budget : least),
    null,
  );
}

function usageOf(key: KeyWithSpend): KeyUsage {
  return {
    label: key.label,
    limit: key.limitUsd,
    limit_remaining: key.limitRemaining,
    limit_reset: key.limitReset,
    include_byok_in_limit: key.includeByokInLimit,
    rate_limits: toRateLimits(key),
    usage: key.total,
    usage_daily: key.daily,
    usage_weekly: key.weekly,
    usage_monthly: key.monthly,
    byok_usage: key.byok_total,
    byok_usage_daily: key.byok_daily,
    byok_usage_weekly: key.byok_weekly,
    byok_usage_monthly: key.byok_monthly,
    expires_at: key.expiresAt?.toISOString() ?? null,
    creator_user_id: key.userId,
  };
}

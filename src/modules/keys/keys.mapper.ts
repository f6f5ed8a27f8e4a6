import { DATA_REGIONS } from '../../config/data-region.js';
import type { CurrentKey, Key } from './dto/key.dto.js';
import type { KeyUsage } from './dto/key-usage.dto.js';
import type { CurrentKeyRow } from './current-key-row.js';
import type { DescribedKey } from './described-key.js';

/** There is no limit on requests; the field is for clients that still read it. */
const NO_RATE_LIMIT = { requests: -1, interval: '10s', note: 'This field is deprecated and safe to ignore.' };

/** No requests are given away by the day: what free models cost nothing for is bounded by guardrails and limits alone. */
const NO_FREE_REQUESTS = { limit: 0, used: 0, remaining: 0 };

/** A key as the interface shows it. */
export function toKeyResponse(key: DescribedKey): Key {
  return {
    hash: key.hash.toString('hex'),
    name: key.name,
    disabled: key.disabled,
    ...usageOf(key),
    created_at: key.createdAt.toISOString(),
    updated_at: key.updatedAt?.toISOString() ?? null,
    workspace_id: key.shownWorkspaceId,
    external_user: key.externalUser,
  };
}

/** A key as its own holder sees it. */
export function toCurrentKeyResponse(key: CurrentKeyRow): CurrentKey {
  const isManagementKey = key.kind === 'management_key';
  return {
    ...usageOf(key),
    is_free_tier: false,
    is_management_key: isManagementKey,
    is_provisioning_key: isManagementKey,
    rate_limit: NO_RATE_LIMIT,
    organization_id: key.organizationId,
    workspace_id: key.shownWorkspaceId,
    allowed_data_regions: DATA_REGIONS.filter((region) =>
      (key.dataRegionLists ?? []).every((regions) => regions.includes(region)),
    ),
    free_model_daily_requests: NO_FREE_REQUESTS,
  };
}

function usageOf(key: DescribedKey): KeyUsage {
  return {
    label: key.label,
    limit: key.limitUsd,
    limit_remaining: key.limitRemaining,
    limit_reset: key.limitReset,
    include_byok_in_limit: key.includeByokInLimit,
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

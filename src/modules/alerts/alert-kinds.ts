/** What an alert is about (docs/interface/alerts.md#kinds). */
export const ALERT_KINDS = [
  'budget',
  'key_expiry',
  'destination_paused',
  'members_deactivated',
  'limit',
  'budget_forecast',
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** The fields of a scope: an alert has one of them at most. */
export const SCOPE_FIELDS = ['workspace_id', 'guardrail_id', 'key_hash', 'limit_id'] as const;

export type ScopeField = (typeof SCOPE_FIELDS)[number];

/** What the alerts of each kind can be narrowed to. */
export const SCOPES: Readonly<Record<AlertKind, readonly ScopeField[]>> = {
  budget: ['workspace_id', 'guardrail_id', 'key_hash'],
  key_expiry: ['workspace_id', 'key_hash'],
  destination_paused: ['workspace_id'],
  members_deactivated: [],
  limit: ['workspace_id', 'limit_id'],
  budget_forecast: SCOPE_FIELDS,
};

/** The shares of a budget that are notified unless an alert says otherwise. */
export const DEFAULT_THRESHOLDS: readonly number[] = [0.8, 1];

/** How many days before a key expires it is notified unless an alert says otherwise. */
export const DEFAULT_DAYS_BEFORE: readonly number[] = [7, 1];

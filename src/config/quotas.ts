import type { VariableReader } from './variable-reader.js';

/** What an organization may have by default, of each kind of object (docs/limits.md). */
const DEFAULTS = {
  workspaces: 100_000,
  guardrails: 250_000,
  keys: 1_000_000,
  connect_clients: 100_000,
  authorization_codes: 250_000,
  oauth_applications: 100_000,
  presets: 250_000,
  /** Of each preset. */
  preset_versions: 100_000,
  destinations: 100_000,
  scim_group_mappings: 1_000_000,
} as const;

/** A kind of object that an organization has a bounded number of. */
export type QuotaKind = keyof typeof DEFAULTS;

/** How many objects of each kind an organization may have. */
export type QuotaLimits = Readonly<Record<QuotaKind, number>>;

/** The quotas of `QUOTA_WORKSPACES`, `QUOTA_GUARDRAILS` and so on. */
export function quotasOf(reader: VariableReader): QuotaLimits {
  const limits = Object.entries(DEFAULTS).map(([kind, fallback]) => [
    kind,
    reader.integer(`QUOTA_${kind.toUpperCase()}`, fallback, 1, 1_000_000_000),
  ]);
  return Object.fromEntries(limits) as QuotaLimits;
}

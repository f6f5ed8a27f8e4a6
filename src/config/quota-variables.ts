import type { VariableReader } from './variable-reader.js';

/** The default quotas of an organization (docs/limits.md). */
const DEFAULTS = {
  workspaces: 100_000,
  guardrails: 250_000,
  keys: 1_000_000,
  connect_clients: 100_000,
  authorization_codes: 250_000,
  oauth_applications: 100_000,
  presets: 250_000,
  /** Per preset. */
  preset_versions: 100_000,
  destinations: 100_000,
  alerts: 1_000,
  limits: 1_000,
  /** Per limit. */
  limit_exceptions: 100_000,
  inspectors: 1_000,
  mcp_servers: 100,
  external_users: 100_000,
  /** Idempotency keys that have not expired. */
  idempotency_keys: 100_000,
  federation_issuers: 100,
  federation_policies: 1_000,
  scim_group_mappings: 1_000_000,
  sign_in_connections: 50,
  private_providers: 100,
  private_endpoints: 250,
  provider_keys: 100_000,
  /** Per workspace. */
  workspace_provider_keys: 100,
} as const;

/** A kind of object with a quota. */
export type QuotaKind = keyof typeof DEFAULTS;

/** The maximum number of objects of each kind per organization. */
export type QuotaSettings = Readonly<Record<QuotaKind, number>>;

/** Reads `QUOTA_WORKSPACES`, `QUOTA_GUARDRAILS` and so on. */
export function quotasOf(reader: VariableReader): QuotaSettings {
  const limits = Object.entries(DEFAULTS).map(([kind, fallback]) => [
    kind,
    reader.integer(`QUOTA_${kind.toUpperCase()}`, fallback, 1, 1_000_000_000),
  ]);
  return Object.fromEntries(limits) as QuotaSettings;
}

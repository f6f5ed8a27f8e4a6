import { idOf, insertBulk, type RunStatement } from './bulk.js';

// What the ids of each table begin with.
const MEMBER = 1;
const DEFAULT_WORKSPACE = 2;
const WORKSPACE = 3;
const WORKSPACE_MEMBER = 4;
const BUDGET = 5;
const GUARDRAIL = 6;
const GROUP = 7;
const MAPPING = 8;
const PRESET = 9;
const VERSION = 10;
const CLIENT = 11;
const KEY = 12;
const CODE = 13;
const DESTINATION = 14;

const USER = `'user_foreign_' || n`;
const TIME = `now() - interval '1 year' + n * interval '1 second'`;

/**
 * Fills every table that grows with rows of other organizations.
 *
 * @param rows in each table
 * @param share how many of them one organization has; a divisor of rows
 */
export async function insertForeignRows(run: RunStatement, rows: number, share = 100): Promise<void> {
  const owner = `((n - 1) / ${share} + 1)`;
  const organization = `'org_foreign_' || ${owner}`;
  const firstUser = `'user_foreign_' || ((o - 1) * ${share} + 1)`;
  const perRow = `FROM generate_series(1, ${rows}) AS n`;
  const perOrganization = `FROM generate_series(1, ${rows / share}) AS o`;
  await insertBulk(run, [
    `INSERT INTO organizations (id, name, scim_enabled, created_at)
     SELECT 'org_foreign_' || o, 'Foreign ' || o, true, now() ${perOrganization}`,
    `INSERT INTO users (id, name, email, created_at) SELECT ${USER}, 'User', 'user@example.com', ${TIME} ${perRow}`,
    `INSERT INTO organization_members (id, organization_id, user_id, role, created_at)
     SELECT ${idOf(MEMBER, 'n')}, ${organization}, ${USER}, 'member', ${TIME} ${perRow}`,
    `INSERT INTO workspaces (id, organization_id, name, slug, is_default, created_at)
     SELECT ${idOf(DEFAULT_WORKSPACE, 'o')}, 'org_foreign_' || o, 'Default', 'default', true, now() ${perOrganization}`,
    `INSERT INTO workspaces (id, organization_id, name, slug, is_default, created_at)
     SELECT ${idOf(WORKSPACE, 'o')}, 'org_foreign_' || o, 'Production', 'production', false, now() ${perOrganization}`,
    `INSERT INTO workspace_members (id, organization_id, workspace_id, user_id, role, created_at)
     SELECT ${idOf(WORKSPACE_MEMBER, 'n')}, ${organization}, ${idOf(WORKSPACE, owner)}, ${USER}, 'member', ${TIME} ${perRow}`,
    `INSERT INTO workspace_budgets (id, organization_id, workspace_id, "interval", limit_usd, created_at, updated_at)
     SELECT ${idOf(BUDGET, 'o')}, 'org_foreign_' || o, ${idOf(WORKSPACE, 'o')}, 'daily', 100, now(), now() ${perOrganization}`,
    `INSERT INTO guardrails (id, organization_id, workspace_id, name, limit_usd, reset_interval, include_byok_in_budgets, created_at)
     SELECT ${idOf(GUARDRAIL, 'n')}, ${organization}, ${idOf(DEFAULT_WORKSPACE, owner)}, 'Guardrail ' || n, 100, 'monthly', false, ${TIME} ${perRow}`,
    `INSERT INTO scim_groups (id, organization_id, display_name, created_at, updated_at)
     SELECT ${idOf(GROUP, 'n')}, ${organization}, 'Group ' || n, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO scim_group_mappings (id, organization_id, scim_group_id, workspace_id, role, created_at, updated_at)
     SELECT ${idOf(MAPPING, 'n')}, ${organization}, ${idOf(GROUP, 'n')}, ${idOf(WORKSPACE, owner)}, 'member', ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO presets (id, organization_id, workspace_id, slug, name, creator_id, created_at, updated_at)
     SELECT ${idOf(PRESET, 'o')}, 'org_foreign_' || o, ${idOf(DEFAULT_WORKSPACE, 'o')}, 'support-bot', 'Support bot', ${firstUser}, now(), now() ${perOrganization}`,
    `INSERT INTO preset_versions (id, preset_id, version, config, creator_id, created_at, updated_at)
     SELECT ${idOf(VERSION, 'n')}, ${idOf(PRESET, owner)}, (n - 1) % ${share} + 1,
       '{"model": "openai/gpt-5.5", "temperature": 0.5}', ${USER}, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO connect_clients (id, organization_id, name, callback_urls, secret_hash, created_at)
     SELECT ${idOf(CLIENT, 'o')}, 'org_foreign_' || o, 'Client', '{}', sha256(convert_to('foreign-client-' || o, 'UTF8')), now() ${perOrganization}`,
    `INSERT INTO api_keys (id, organization_id, user_id, kind, hash, name, label, created_at)
     SELECT ${idOf(KEY, 'n')}, ${organization}, ${USER}, 'api_key', sha256(convert_to('foreign-key-' || n, 'UTF8')), 'Key', 'label', ${TIME} ${perRow}`,
    `INSERT INTO oauth_applications (organization_id, origin, created_at)
     SELECT 'org_foreign_' || o, 'https://foreign.example', now() ${perOrganization}`,
    `INSERT INTO authorization_codes (id, code_hash, organization_id, user_id, application_id, callback_url, expires_at, created_at)
     SELECT ${idOf(CODE, 'n')}, sha256(convert_to('foreign-code-' || n, 'UTF8')), ${organization}, ${USER}, application.id,
       'https://foreign.example/callback', now() + interval '1 day', now()
     ${perRow} JOIN oauth_applications AS application ON application.organization_id = ${organization}`,
    `INSERT INTO observability_destinations (id, organization_id, workspace_id, name, type, enabled, privacy_mode,
       sampling_rate, broadcast_generation_cost, broadcast_generation_identity, broadcast_generation_request_context,
       encrypted_config, created_at, updated_at)
     SELECT ${idOf(DESTINATION, 'n')}, ${organization}, ${idOf(DEFAULT_WORKSPACE, owner)}, 'Destination ' || n, 'webhook', true, false,
       1, false, false, false, sha256(convert_to(n::text, 'UTF8')), ${TIME}, ${TIME} ${perRow}`,
  ]);
}

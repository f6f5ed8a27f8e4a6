import type { BenchDatabase } from '../support/database.js';
import { idOf, insertBulk } from './bulk.js';

/** How many rows one organization has in each of the tables that grow. */
const ROWS_PER_ORGANIZATION = 100;

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

/** The organization of a row, or the organization of a number. */
const OWNER = `((n - 1) / ${ROWS_PER_ORGANIZATION} + 1)`;
const ORGANIZATION = `'org_foreign_' || ${OWNER}`;
const USER = `'user_foreign_' || n`;
const FIRST_USER = `'user_foreign_' || ((o - 1) * ${ROWS_PER_ORGANIZATION} + 1)`;
const TIME = `now() - interval '1 year' + n * interval '1 second'`;

/** Fills every table that grows with rows of other organizations. @param rows in each, a multiple of a hundred */
export async function insertForeignRows(database: BenchDatabase, rows: number): Promise<void> {
  const perRow = `FROM generate_series(1, ${rows}) AS n`;
  const perOrganization = `FROM generate_series(1, ${rows / ROWS_PER_ORGANIZATION}) AS o`;
  await insertBulk(database, [
    `INSERT INTO organizations (id, name, scim_enabled, created_at)
     SELECT 'org_foreign_' || o, 'Foreign ' || o, true, now() ${perOrganization}`,
    `INSERT INTO users (id, name, email, created_at) SELECT ${USER}, 'User', 'user@example.com', ${TIME} ${perRow}`,
    `INSERT INTO organization_members (id, organization_id, user_id, role, created_at)
     SELECT ${idOf(MEMBER, 'n')}, ${ORGANIZATION}, ${USER}, 'member', ${TIME} ${perRow}`,
    `INSERT INTO workspaces (id, organization_id, name, slug, is_default, created_at)
     SELECT ${idOf(DEFAULT_WORKSPACE, 'o')}, 'org_foreign_' || o, 'Default', 'default', true, now() ${perOrganization}`,
    `INSERT INTO workspaces (id, organization_id, name, slug, is_default, created_at)
     SELECT ${idOf(WORKSPACE, 'o')}, 'org_foreign_' || o, 'Production', 'production', false, now() ${perOrganization}`,
    `INSERT INTO workspace_members (id, organization_id, workspace_id, user_id, role, created_at)
     SELECT ${idOf(WORKSPACE_MEMBER, 'n')}, ${ORGANIZATION}, ${idOf(WORKSPACE, OWNER)}, ${USER}, 'member', ${TIME} ${perRow}`,
    `INSERT INTO workspace_budgets (id, organization_id, workspace_id, "interval", limit_usd, created_at, updated_at)
     SELECT ${idOf(BUDGET, 'o')}, 'org_foreign_' || o, ${idOf(WORKSPACE, 'o')}, 'daily', 100, now(), now() ${perOrganization}`,
    `INSERT INTO guardrails (id, organization_id, workspace_id, name, limit_usd, reset_interval, include_byok_in_budgets, created_at)
     SELECT ${idOf(GUARDRAIL, 'n')}, ${ORGANIZATION}, ${idOf(DEFAULT_WORKSPACE, OWNER)}, 'Guardrail ' || n, 100, 'monthly', false, ${TIME} ${perRow}`,
    `INSERT INTO scim_groups (id, organization_id, display_name, created_at, updated_at)
     SELECT ${idOf(GROUP, 'n')}, ${ORGANIZATION}, 'Group ' || n, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO scim_group_mappings (id, organization_id, scim_group_id, workspace_id, role, created_at, updated_at)
     SELECT ${idOf(MAPPING, 'n')}, ${ORGANIZATION}, ${idOf(GROUP, 'n')}, ${idOf(WORKSPACE, OWNER)}, 'member', ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO presets (id, organization_id, workspace_id, slug, name, creator_id, created_at, updated_at)
     SELECT ${idOf(PRESET, 'o')}, 'org_foreign_' || o, ${idOf(DEFAULT_WORKSPACE, 'o')}, 'support-bot', 'Support bot', ${FIRST_USER}, now(), now() ${perOrganization}`,
    `INSERT INTO preset_versions (id, preset_id, version, config, creator_id, created_at, updated_at)
     SELECT ${idOf(VERSION, 'n')}, ${idOf(PRESET, OWNER)}, (n - 1) % ${ROWS_PER_ORGANIZATION} + 1,
       '{"model": "openai/gpt-5.5", "temperature": 0.5}', ${USER}, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO connect_clients (id, organization_id, name, callback_urls, secret_hash, created_at)
     SELECT ${idOf(CLIENT, 'o')}, 'org_foreign_' || o, 'Client', '{}', sha256(convert_to('foreign-client-' || o, 'UTF8')), now() ${perOrganization}`,
    `INSERT INTO api_keys (id, organization_id, user_id, kind, hash, name, label, created_at)
     SELECT ${idOf(KEY, 'n')}, ${ORGANIZATION}, ${USER}, 'api_key', sha256(convert_to('foreign-key-' || n, 'UTF8')), 'Key', 'label', ${TIME} ${perRow}`,
    `INSERT INTO oauth_applications (organization_id, origin, created_at)
     SELECT 'org_foreign_' || o, 'https://foreign.example', now() ${perOrganization}`,
    `INSERT INTO authorization_codes (id, code_hash, organization_id, user_id, application_id, callback_url, expires_at, created_at)
     SELECT ${idOf(CODE, 'n')}, sha256(convert_to('foreign-code-' || n, 'UTF8')), ${ORGANIZATION}, ${USER}, application.id,
       'https://foreign.example/callback', now() + interval '1 day', now()
     ${perRow} JOIN oauth_applications AS application ON application.organization_id = ${ORGANIZATION}`,
    `INSERT INTO observability_destinations (id, organization_id, workspace_id, name, type, enabled, privacy_mode,
       sampling_rate, broadcast_generation_cost, broadcast_generation_identity, broadcast_generation_request_context,
       encrypted_config, created_at, updated_at)
     SELECT ${idOf(DESTINATION, 'n')}, ${ORGANIZATION}, ${idOf(DEFAULT_WORKSPACE, OWNER)}, 'Destination ' || n, 'webhook', true, false,
       1, false, false, false, sha256(convert_to(n::text, 'UTF8')), ${TIME}, ${TIME} ${perRow}`,
  ]);
}

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
const KEY_ASSIGNMENT = 15;
const MEMBER_ASSIGNMENT = 16;
const AUDIT_EVENT = 17;
const PROVIDER_KEY = 18;
const ALERT = 19;
const CONFIRMATION_MAIL = 20;
const FEDERATION_ISSUER = 21;
const FEDERATION_POLICY = 22;
const PRIVATE_PROVIDER = 23;
const PRIVATE_ENDPOINT = 24;
const SIGN_IN_CONNECTION = 21;
const SESSION = 22;
const PROVISIONING_TOKEN = 21;
const SYNC_JOB = 22;
const EXTERNAL_USER = 21;
const LIMIT = 25;
const LIMIT_EXCEPTION = 26;
const INSPECTOR = 27;
const MCP_SERVER = 28;

const USER = `'user_foreign_' || n`;
/** Of records of requests: one in whose month there is a partition. */
const SECOND = `date_trunc('second', now())`;
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
  const perRow = `FROM generate_series(1, ${rows}) AS n`;
  const perOrganization = `FROM generate_series(1, ${rows / share}) AS o`;
  await insertBulk(run, [
    `INSERT INTO organizations (id, name, scim_enabled, created_at)
     SELECT 'org_foreign_' || o, 'Foreign ' || o, true, now() ${perOrganization}`,
    `INSERT INTO users (id, name, email, created_at) SELECT ${USER}, 'User', 'user@example.com', ${TIME} ${perRow}`,
    `INSERT INTO organization_members (id, organization_id, user_id, role, created_at)
     SELECT ${idOf(MEMBER, 'n')}, ${organization}, ${USER}, 'member', ${TIME} ${perRow}`,
    `INSERT INTO workspaces (id, organization_id, name, slug, is_default, default_guardrail_id, created_at)
     SELECT ${idOf(DEFAULT_WORKSPACE, 'o')}, 'org_foreign_' || o, 'Default', 'default', true, gen_random_uuid(), now() ${perOrganization}`,
    `INSERT INTO workspaces (id, organization_id, name, slug, is_default, default_guardrail_id, created_at)
     SELECT ${idOf(WORKSPACE, 'o')}, 'org_foreign_' || o, 'Production', 'production', false, gen_random_uuid(), now() ${perOrganization}`,
    `INSERT INTO workspace_members (id, organization_id, workspace_id, user_id, role, manual_role, created_at)
     SELECT ${idOf(WORKSPACE_MEMBER, 'n')}, ${organization}, ${idOf(WORKSPACE, owner)}, ${USER}, 'member', 'member', ${TIME} ${perRow}`,
    `INSERT INTO workspace_budgets (id, organization_id, workspace_id, "interval", limit_usd, created_at, updated_at)
     SELECT ${idOf(BUDGET, 'o')}, 'org_foreign_' || o, ${idOf(WORKSPACE, 'o')}, 'daily', 100, now(), now() ${perOrganization}`,
    `INSERT INTO guardrails (id, organization_id, workspace_id, name, limit_usd, reset_interval, include_byok_in_budgets, created_at)
     SELECT ${idOf(GUARDRAIL, 'n')}, ${organization}, ${idOf(DEFAULT_WORKSPACE, owner)}, 'Guardrail ' || n, 100, 'monthly', false, ${TIME} ${perRow}`,
    `INSERT INTO scim_groups (id, organization_id, display_name, created_at, updated_at)
     SELECT ${idOf(GROUP, 'n')}, ${organization}, 'Group ' || n, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO scim_group_members (organization_id, scim_group_id, user_id, created_at)
     SELECT ${organization}, ${idOf(GROUP, 'n')}, 'user_foreign_' || ((n - 1) / 10 * 10 + 1), ${TIME} ${perRow}`,
    `INSERT INTO scim_users (organization_id, user_id, user_name, user_name_key, external_id, attributes, created_at, updated_at)
     SELECT ${organization}, ${USER}, 'User ' || n, 'user ' || n, 'idp-' || n, '{}', ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO provisioning_tokens (id, organization_id, name, label, hash, created_at)
     SELECT ${idOf(PROVISIONING_TOKEN, 'n')}, ${organization}, 'Token', 'label', sha256(convert_to(n::text, 'UTF8')), ${TIME} ${perRow}`,
    `INSERT INTO scim_sync_jobs (id, organization_id, status, synced_groups, deleted_groups, started_at, finished_at, created_at)
     SELECT ${idOf(SYNC_JOB, 'n')}, ${organization}, 'succeeded', 1, 0, ${TIME}, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO scim_group_mappings (id, organization_id, scim_group_id, workspace_id, role, created_at, updated_at)
     SELECT ${idOf(MAPPING, 'n')}, ${organization}, ${idOf(GROUP, 'n')}, ${idOf(WORKSPACE, owner)}, 'member', ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO presets (id, organization_id, workspace_id, slug, name, creator_id, created_at, updated_at)
     SELECT ${idOf(PRESET, 'n')}, ${organization}, ${idOf(DEFAULT_WORKSPACE, owner)}, 'preset-' || n, 'Preset', ${USER}, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO preset_versions (id, organization_id, preset_id, version, config, creator_id, created_at, updated_at)
     SELECT ${idOf(VERSION, 'n')}, ${organization}, ${idOf(PRESET, `((${owner} - 1) * ${share} + 1)`)}, (n - 1) % ${share} + 1,
       '{"model": "openai/gpt-5.5", "temperature": 0.5}', ${USER}, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO connect_clients (id, organization_id, name, callback_urls, secret_hash, created_at)
     SELECT ${idOf(CLIENT, 'n')}, ${organization}, 'Client', '{}', sha256(convert_to('foreign-client-' || n, 'UTF8')), ${TIME} ${perRow}`,
    `INSERT INTO api_keys (id, organization_id, user_id, kind, hash, name, label, created_at)
     SELECT ${idOf(KEY, 'n')}, ${organization}, ${USER}, 'api_key', sha256(convert_to('foreign-key-' || n, 'UTF8')), 'Key', 'label', ${TIME} ${perRow}`,
    `INSERT INTO oauth_applications (organization_id, origin, number, created_at)
     SELECT 'org_foreign_' || o, 'https://foreign.example', 1, now() ${perOrganization}`,
    `INSERT INTO authorization_codes (id, code_hash, organization_id, user_id, application_id, callback_url, expires_at, created_at)
     SELECT ${idOf(CODE, 'n')}, sha256(convert_to('foreign-code-' || n, 'UTF8')), ${organization}, ${USER}, application.id,
       'https://foreign.example/callback', now() + interval '1 day', now()
     ${perRow} JOIN oauth_applications AS application ON application.organization_id = ${organization}`,
    `INSERT INTO observability_destinations (id, organization_id, workspace_id, name, type, enabled, privacy_mode,
       sampling_rate, broadcast_generation_cost, broadcast_generation_identity, broadcast_generation_request_context,
       encrypted_config, created_at, updated_at)
     SELECT ${idOf(DESTINATION, 'n')}, ${organization}, ${idOf(DEFAULT_WORKSPACE, owner)}, 'Destination ' || n, 'webhook', true, false,
       1, false, false, false, sha256(convert_to(n::text, 'UTF8')), ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO provider_keys (id, organization_id, workspace_id, provider, label, encrypted_key, disabled, is_fallback,
       sort_order, created_at)
     SELECT ${idOf(PROVIDER_KEY, 'n')}, ${organization}, ${idOf(DEFAULT_WORKSPACE, owner)}, 'openai', 'sk-f...0123',
       sha256(convert_to(n::text, 'UTF8')), false, false, n, ${TIME} ${perRow}`,
    `INSERT INTO guardrail_key_assignments (id, organization_id, guardrail_id, key_id, created_at)
     SELECT ${idOf(KEY_ASSIGNMENT, 'n')}, ${organization}, ${idOf(GUARDRAIL, 'n')}, ${idOf(KEY, 'n')}, ${TIME} ${perRow}`,
    `INSERT INTO guardrail_member_assignments (id, organization_id, guardrail_id, user_id, created_at)
     SELECT ${idOf(MEMBER_ASSIGNMENT, 'n')}, ${organization}, ${idOf(GUARDRAIL, 'n')}, ${USER}, ${TIME} ${perRow}`,
    `INSERT INTO member_guardrails (id, organization_id, guardrail_id, user_id, workspace_id, applies_everywhere, created_at)
     SELECT ${idOf(MEMBER_ASSIGNMENT, 'n')}, ${organization}, ${idOf(GUARDRAIL, 'n')}, ${USER}, ${idOf(DEFAULT_WORKSPACE, owner)}, true, ${TIME} ${perRow}
     ON CONFLICT DO NOTHING`,
    `INSERT INTO key_spend (organization_id, key_id, day, amount_usd, byok_amount_usd)
     SELECT ${organization}, ${idOf(KEY, 'n')}, current_date, 1, 0 ${perRow}`,
    `INSERT INTO spend_windows (organization_id, subject, subject_id, "interval", first_day, amount_usd, byok_amount_usd)
     SELECT ${organization}, 'workspace', ${idOf(WORKSPACE, 'n')}::text, 'daily', current_date, 1, 0 ${perRow}`,
    `INSERT INTO limit_refusals (organization_id, limit_name, first_day, refused_at)
     SELECT ${organization}, 'key/' || ${idOf(KEY, 'n')} || '/daily', current_date, now() ${perRow}`,
    `INSERT INTO usage_additions SELECT ${organization}, 'gen-' || n, date_trunc('minute', now(), 'UTC'), ${idOf(WORKSPACE, 'n')}::text,
       ${idOf(KEY, 'n')}::text, ${USER}, 'acme/model', 'acme', 'acme', 1, 0, 0, 0, 10, 5, 0, 0, 0.001, 0, 100, 1, 200, 5 ${perRow}`,
    `INSERT INTO usage_totals SELECT ${organization}, 'day', 'key', date_trunc('day', now(), 'UTC'), ${idOf(WORKSPACE, 'n')}::text,
       ${idOf(KEY, 'n')}::text, ${USER}, 'acme/model', 'acme', 'acme', 1, 0, 0, 0, 10, 5, 0, 0, 0.001, 0, 100, 1, 200, 5 ${perRow}`,
    `INSERT INTO usage_totals SELECT 'org_foreign_' || o, 'lifetime', 'organization', timestamptz '1970-01-01Z', '', '', '', '', '', '',
       1, 0, 0, 0, 10, 5, 0, 0, 0.001, 0, 100, 1, 200, 5 ${perOrganization}`,
    `INSERT INTO spend_reservations
       (organization_id, generation_id, process_id, key_id, user_id, workspace_id, created_at, amount_usd, byok_amount_usd, request)
     SELECT ${organization}, 'gen-' || extract(epoch FROM ${SECOND})::bigint || '-' || lpad(n::text, 20, '0'), ${idOf(KEY, 'n')},
       ${idOf(KEY, 'n')}, ${USER}, ${idOf(WORKSPACE, 'n')}, ${SECOND}, 0.001, 0, '{}' ${perRow}`,
    `INSERT INTO rate_uses (organization_id, subject, subject_id, latest_second, requests, tokens)
     SELECT ${organization}, 'key', ${idOf(KEY, 'n')}, extract(epoch FROM now()) - 1000, '{}', '{}' ${perRow}`,
    `INSERT INTO generations (organization_id, id, created_at, key_id, user_id, status, model, provider, is_byok, cost_usd, details)
     SELECT ${organization}, 'gen-' || extract(epoch FROM ${SECOND})::bigint || '-' || lpad(n::text, 20, '0'), ${SECOND},
       ${idOf(KEY, 'n')}, ${USER}, 200, 'acme/model', 'acme', false, 0.001, '{}' ${perRow}`,
    `INSERT INTO broadcast_queues (organization_id, destination_id, next_at)
     SELECT ${organization}, ${idOf(DESTINATION, 'n')}, now() ${perRow}`,
    `INSERT INTO broadcast_events (organization_id, generation_id, key_id, enqueued_at, bytes, payload)
     SELECT ${organization}, 'gen-' || n, ${idOf(KEY, 'n')}, now(), 32, sha256(convert_to(n::text, 'UTF8')) ${perRow}`,
    `INSERT INTO broadcast_deliveries (organization_id, generation_id, destination_id, enqueued_at, gets_content)
     SELECT ${organization}, 'gen-' || n, ${idOf(DESTINATION, 'n')}, now(), true ${perRow}`,
    `INSERT INTO alerts (organization_id, id, name, kind, key_id, thresholds, enabled, destination_id, created_at, updated_at)
     SELECT ${organization}, ${idOf(ALERT, 'n')}, 'Alert', 'budget', ${idOf(KEY, 'n')}, '{0.8,1}', true, ${idOf(DESTINATION, 'n')},
       ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO limits (organization_id, id, name, conditions, group_by, measure, amount, "window", on_missing, include_byok,
       enforcement, alert_at, created_at, updated_at)
     SELECT ${organization}, ${idOf(LIMIT, 'n')}, 'Limit', '[]', '{user}', 'usd', 5, 'daily', 'none', false, 'enforce', '{1}',
       ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO inspectors (organization_id, id, name, protocol, url, settings, applies_to, mode, on_failure, timeout_ms,
       window_characters, window_overlap, secret_masks, encrypted_secrets, created_at, updated_at)
     SELECT ${organization}, ${idOf(INSPECTOR, 'n')}, 'Inspector', 'texts', 'https://guard.example.com', '{}', '{request}', 'enforce', 'block',
       3000, 1024, 256, '{}', sha256(convert_to(n::text, 'UTF8')), ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO mcp_servers (organization_id, id, name, url, authentication, secret_mask, encrypted_secret, enabled, trusted, follow,
       tool_prices, timeout_ms, created_at, updated_at)
     SELECT ${organization}, ${idOf(MCP_SERVER, 'n')}, 'server-' || n, 'https://mcp.example.com/mcp', 'bearer', '****',
       sha256(convert_to(n::text, 'UTF8')), true, false, false, '{}', 60000, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO mcp_tools (organization_id, server_id, name, definition, digest, seen_at)
     SELECT ${organization}, ${idOf(MCP_SERVER, 'n')}, 'tool', '{"name": "tool", "inputSchema": {}}', n::text, ${TIME} ${perRow}`,
    `INSERT INTO mcp_connections (organization_id, id, server_id, user_id, encrypted_tokens, created_at, updated_at)
     SELECT ${organization}, ${idOf(MCP_SERVER, 'n')}, ${idOf(MCP_SERVER, 'n')}, ${USER}, sha256(convert_to(n::text, 'UTF8')), ${TIME},
       ${TIME} ${perRow}`,
    `INSERT INTO managed_objects (organization_id, section, object_id, owner, name, secret_digests, file, applied_at)
     SELECT ${organization}, 'limits', ${idOf(LIMIT, 'n')}::text, 'platform', 'Limit', '{}', 'gatehouse.yaml', ${TIME} ${perRow}`,
    `INSERT INTO applied_plans (organization_id, owner, plan_id, applied_at)
     SELECT ${organization}, 'owner-' || n, 'plan_' || n, ${TIME} ${perRow}`,
    `INSERT INTO retired_key_hashes (organization_id, hash)
     SELECT ${organization}, sha256(convert_to('retired' || n, 'UTF8')) ${perRow}`,
    `INSERT INTO limit_exceptions (organization_id, id, limit_id, combination, "values", amount, created_at)
     SELECT ${organization}, ${idOf(LIMIT_EXCEPTION, 'n')}, ${idOf(LIMIT, 'n')}, n::text, '{}', 5, ${TIME} ${perRow}`,
    `INSERT INTO limit_counters (organization_id, limit_id, combination, window_start, "values", key_id, amount, byok_amount, reserved,
       reserved_with_byok, last_used_at)
     SELECT ${organization}, ${idOf(LIMIT, 'n')}, n::text, now(), '{}', ${idOf(KEY, 'n')}, 1, 0, 0, 0, now() ${perRow}`,
    `INSERT INTO limit_populations (organization_id, key_id, combinations)
     SELECT ${organization}, ${idOf(KEY, 'n')}, 1 ${perRow}`,
    `INSERT INTO alert_recipients (organization_id, alert_id, email, token_hash, token_expires_at)
     SELECT ${organization}, ${idOf(ALERT, 'n')}, 'foreign@example.com', sha256(convert_to(n::text, 'UTF8')), now() ${perRow}`,
    `INSERT INTO alert_confirmation_mails (organization_id, id, email, requested_at)
     SELECT ${organization}, ${idOf(CONFIRMATION_MAIL, 'n')}, 'foreign@example.com', now() ${perRow}`,
    `INSERT INTO alert_notifications (organization_id, alert_id, subject, window_start, threshold, data, created_at)
     SELECT ${organization}, ${idOf(ALERT, 'n')}, 'key/' || n, now()::date, 1, '{}', now() ${perRow}`,
    `INSERT INTO alert_deliveries (organization_id, alert_id, subject, window_start, threshold, receiver, state, next_at, created_at)
     SELECT ${organization}, ${idOf(ALERT, 'n')}, 'key/' || n, now()::date, 1, 'webhook', 'pending', now(), now() ${perRow}`,
    `INSERT INTO replay_jobs (organization_id, id, guardrail_id, "from", "to", sample, state, read_count, created_at, alive_until)
     SELECT ${organization}, ${idOf(ALERT, 'n')}, ${idOf(ALERT, 'n')}, ${TIME}, ${TIME}, 1, 'finished', 0, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO idempotency_keys (organization_id, credential_id, key_hash, fingerprint, status, created_at, expires_at)
     SELECT ${organization}, ${idOf(KEY, 'n')}::text, sha256(convert_to(n::text, 'UTF8')), '', 200, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO cached_responses (organization_id, workspace_id, key, sealed, expires_at)
     SELECT ${organization}, ${idOf(WORKSPACE, owner)}, sha256(convert_to(n::text, 'UTF8')), '', now() + n * interval '1 second' ${perRow}`,
    `INSERT INTO external_users (organization_id, id, external_user, is_active, created_at, updated_at)
     SELECT ${organization}, ${idOf(EXTERNAL_USER, 'n')}, 'customer-' || n, true, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO federation_issuers (organization_id, id, name, issuer, jwks_type, created_at, updated_at)
     SELECT ${organization}, ${idOf(FEDERATION_ISSUER, 'n')}, 'Issuer', 'https://issuer.example.com', 'discovery', ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO federation_policies (organization_id, id, name, issuer_id, key_id, subject, audience, enabled, created_at, updated_at)
     SELECT ${organization}, ${idOf(FEDERATION_POLICY, 'n')}, 'Policy', ${idOf(FEDERATION_ISSUER, 'n')}, ${idOf(KEY, 'n')}, 'subject', 'audience',
       true, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO private_providers (organization_id, id, slug, name, display_name, created_at, updated_at)
     SELECT ${organization}, ${idOf(PRIVATE_PROVIDER, 'n')}, 'provider-' || n, 'Provider ' || n, 'Provider', ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO private_endpoints
       (organization_id, id, provider_id, model_permaslug, upstream_model_id, pricing, status, created_at, updated_at)
     SELECT ${organization}, ${idOf(PRIVATE_ENDPOINT, 'n')}, ${idOf(PRIVATE_PROVIDER, 'n')}, 'foreign/model', 'model',
       '{"prompt":"0","completion":"0"}', CASE WHEN n % 2 = 0 THEN 'active' ELSE 'draft' END, ${TIME}, ${TIME} ${perRow}`,
    `INSERT INTO sign_in_connections (organization_id, id, name, issuer, client_id, scopes, creates_members, enabled, created_at)
     SELECT ${organization}, ${idOf(SIGN_IN_CONNECTION, 'n')}, 'Provider ' || n, 'https://foreign.example/' || n, 'client', '{openid}', false,
       true, ${TIME} ${perRow}`,
    `INSERT INTO sessions
       (organization_id, id, user_id, secret_hash, connection_id, subject, authenticated_at, created_at, seen_at, expires_at)
     SELECT ${organization}, ${idOf(SESSION, 'n')}, ${USER}, sha256(convert_to(n::text, 'UTF8')), ${idOf(SIGN_IN_CONNECTION, 'n')},
       'subject-' || n, ${TIME}, ${TIME}, now(), now() + n * interval '1 second' ${perRow}`,
    `INSERT INTO sign_in_links (organization_id, id, user_id, secret_hash, created_at, expires_at)
     SELECT ${organization}, ${idOf(SESSION, 'n')}, ${USER}, sha256(convert_to(n::text, 'UTF8')), ${TIME}, now() ${perRow}`,
    `INSERT INTO member_identities (organization_id, id, user_id, issuer, subject, created_at)
     SELECT ${organization}, ${idOf(SESSION, 'n')}, ${USER}, 'https://foreign.example', 'subject-' || n, ${TIME} ${perRow}`,
    `INSERT INTO sign_in_attempts (organization_id, id, connection_id, secret_hash, return_to, is_step_up, created_at, expires_at)
     SELECT ${organization}, ${idOf(SESSION, 'n')}, ${idOf(SIGN_IN_CONNECTION, 'n')}, sha256(convert_to(n::text, 'UTF8')), '/console', false,
       ${TIME}, now() + n * interval '1 second' ${perRow}`,
    `INSERT INTO used_logout_tokens (organization_id, connection_id, token_id_hash, expires_at)
     SELECT ${organization}, ${idOf(SIGN_IN_CONNECTION, 'n')}, sha256(convert_to(n::text, 'UTF8')), now() ${perRow}`,
    `INSERT INTO audit_events (id, organization_id, actor_kind, action, target_type, target_id, created_at)
     SELECT ${idOf(AUDIT_EVENT, 'n')}, ${organization}, 'management_key', 'guardrail.create', 'guardrail', ${idOf(GUARDRAIL, 'n')}, ${TIME} ${perRow}`,
    `INSERT INTO audit_links (organization_id, sequence, event_id, hash, actor, action, target_id, created_at)
     SELECT ${organization}, (n - 1) % ${share} + 1, ${idOf(AUDIT_EVENT, 'n')}, sha256(convert_to(n::text, 'UTF8')), ${USER},
       'guardrail.create', ${idOf(GUARDRAIL, 'n')}, ${TIME} ${perRow}`,
    `INSERT INTO audit_large_changes (organization_id, event_id, sha256, bytes)
     SELECT ${organization}, ${idOf(AUDIT_EVENT, 'n')}, sha256(convert_to(n::text, 'UTF8')), 100000 ${perRow}`,
    `INSERT INTO audit_heads (organization_id, sequence, hash)
     SELECT 'org_foreign_' || o, ${share}, sha256(convert_to((o * ${share})::text, 'UTF8')) ${perOrganization}`,
  ]);
}

import type { Answer } from '../../support/network/api-client.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const COUNT = 10_000;

/** Statements insert so many rows at once, for they have no more time in a test than in a request. */
const PART = COUNT / 10;

const ADMINISTRATOR = `(SELECT user_id FROM organization_members WHERE organization_id = $1 AND role = 'admin')`;

/**
 * What inserts rows number $3 to $4 of an organization ($1) into a workspace ($2), by the table: into each one whose rows a foreign key deletes
 * with their workspace.
 */
const ROWS: Readonly<Record<string, string>> = {
  guardrails: `INSERT INTO guardrails (id, organization_id, workspace_id, name, include_byok_in_budgets, created_at)
    SELECT gen_random_uuid(), $1, $2::uuid, 'Guardrail', false, now() FROM generate_series($3::int, $4::int)`,
  scim_group_mappings: `WITH made AS (
      INSERT INTO scim_groups (id, organization_id, display_name, created_at, updated_at)
      SELECT gen_random_uuid(), $1, 'Group', now(), now() FROM generate_series($3::int, $4::int) RETURNING id)
    INSERT INTO scim_group_mappings (id, organization_id, scim_group_id, workspace_id, role, created_at, updated_at)
    SELECT gen_random_uuid(), $1, id, $2::uuid, 'member', now(), now() FROM made`,
  presets: `WITH made AS (
      INSERT INTO presets (id, organization_id, workspace_id, slug, name, creator_id, created_at, updated_at)
      SELECT gen_random_uuid(), $1, $2::uuid, 'preset-' || n, 'Preset', ${ADMINISTRATOR}, now(), now()
      FROM generate_series($3::int, $4::int) AS n RETURNING id)
    INSERT INTO preset_versions (id, organization_id, preset_id, version, config, creator_id, created_at, updated_at)
    SELECT gen_random_uuid(), $1, id, 1, '{}', ${ADMINISTRATOR}, now(), now() FROM made`,
  observability_destinations: `INSERT INTO observability_destinations (id, organization_id, workspace_id, type, enabled, privacy_mode,
      sampling_rate, broadcast_generation_cost, broadcast_generation_identity, broadcast_generation_request_context,
      encrypted_config, created_at, updated_at)
    SELECT gen_random_uuid(), $1, $2::uuid, 'webhook', true, false, 1, true, true, true, '', now(), now()
    FROM generate_series($3::int, $4::int)`,
  // With the codes that they were issued for.
  api_keys: `INSERT INTO api_keys (id, organization_id, user_id, kind, hash, name, label, workspace_id, disabled, created_at)
    SELECT gen_random_uuid(), $1, ${ADMINISTRATOR}, 'api_key', uuid_send(gen_random_uuid()), 'Key', 'sk', $2::uuid, true, now()
    FROM generate_series($3::int, $4::int)`,
  authorization_codes: `INSERT INTO authorization_codes (id, code_hash, organization_id, user_id, application_id, callback_url,
      workspace_id, issued_key_id, expires_at, created_at)
    SELECT gen_random_uuid(), uuid_send(gen_random_uuid()), $1, ${ADMINISTRATOR},
      (SELECT id FROM oauth_applications WHERE organization_id = $1), 'https://example.com', $2::uuid, numbered.id, now(), now()
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM api_keys WHERE organization_id = $1 AND workspace_id = $2::uuid) AS numbered
    WHERE n BETWEEN $3::int AND $4::int`,
  provider_keys: `INSERT INTO provider_keys (id, organization_id, workspace_id, provider, label, encrypted_key, disabled, is_fallback, sort_order,
      created_at)
    SELECT gen_random_uuid(), $1, $2::uuid, 'openai', 'sk', '', true, false, n, now() FROM generate_series($3::int, $4::int) AS n`,
  limits: `INSERT INTO limits (id, organization_id, workspace_id, name, conditions, group_by, measure, amount, "window", on_missing, include_byok,
      enforcement, alert_at, created_at, updated_at)
    SELECT gen_random_uuid(), $1, $2::uuid, 'Limit', '[]', '{user}', 'requests', 1, 'daily', 'none', false, 'enforce', '{}', now(), now()
    FROM generate_series($3::int, $4::int)`,
  alerts: `INSERT INTO alerts (id, organization_id, workspace_id, name, kind, thresholds, enabled, created_at, updated_at)
    SELECT gen_random_uuid(), $1, $2::uuid, 'Alert', 'budget', '{0.5}', true, now(), now() FROM generate_series($3::int, $4::int)`,
  cached_responses: `INSERT INTO cached_responses (organization_id, workspace_id, key, sealed, expires_at)
    SELECT $1, $2::uuid, uuid_send(gen_random_uuid()), '', now() + interval '1 day' FROM generate_series($3::int, $4::int)`,
  workspace_members: `WITH made AS (
      INSERT INTO users (id, name, email, created_at)
      SELECT 'user_' || gen_random_uuid(), 'User', 'user@example.com', now() FROM generate_series($3::int, $4::int) RETURNING id),
    members AS (
      INSERT INTO organization_members (id, organization_id, user_id, role, created_at)
      SELECT gen_random_uuid(), $1, id, 'member', now() FROM made RETURNING user_id)
    INSERT INTO workspace_members (id, organization_id, workspace_id, user_id, role, manual_role, created_at)
    SELECT gen_random_uuid(), $1, $2::uuid, user_id, 'member', 'member', now() FROM members`,
  // One an interval.
  workspace_budgets: `INSERT INTO workspace_budgets (id, organization_id, workspace_id, "interval", limit_usd, created_at, updated_at)
    SELECT gen_random_uuid(), $1, $2::uuid, name, 100, now(), now()
    FROM unnest(ARRAY['daily', 'weekly', 'monthly', 'lifetime']) WITH ORDINALITY AS intervals (name, n)
    WHERE n BETWEEN $3::int AND $4::int`,
};

describe('the deletion of a workspace with 10,000 of everything', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  const fill = async (workspace: string): Promise<void> => {
    for (const statement of Object.values(ROWS)) {
      for (let first = 1; first <= COUNT; first += PART) {
        await app.rows(statement, [organization.organizationId, workspace, first, first + PART - 1]);
      }
    }
  };

  /** How many rows there are in a workspace, by the table. */
  const countsOf = async (workspace: string): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const table of Object.keys(ROWS)) {
      const [row] = await app.rows<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`,
        [workspace],
      );
      counts[table] = row!.count;
    }
    return counts;
  };

  it('has rows in every table that a foreign key ties to workspaces', async () => {
    const tables = await app.rows<{ name: string }>(
      `SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
       WHERE contype = 'f' AND confrelid = 'workspaces'::regclass AND conparentid = 0`,
    );

    expect(Object.keys(ROWS).toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  });

  const remove = (reference: string): Promise<Answer> =>
    app.api.delete(`/workspaces/${reference}?confirm_default_workspace_deletion=true`, {
      key: organization.managementKey,
    });

  it.each(['another one', 'the default one'])('is answered 200: %s', async (which) => {
    const key = organization.managementKey;
    await app.api.post('/auth/keys/code', { key, json: { callback_url: 'https://example.com/callback' } });
    const isDefault = which === 'the default one';
    const id = isDefault ? organization.workspaceId : await app.factory.workspace(organization);
    await fill(id);
    const neighbour = await app.factory.workspace(organization);
    await fill(neighbour);

    const counts = await countsOf(neighbour);
    expect(await countsOf(id)).toEqual(counts);
    expect(counts).toEqual({
      ...Object.fromEntries(Object.keys(ROWS).map((table) => [table, COUNT])),
      workspace_budgets: 4,
    });

    const answer = await remove(id);

    expect(answer.text).toBe('{"deleted":true}');
    expect(await countsOf(neighbour)).toEqual(counts);
    expect(await countsOf(id)).toEqual(Object.fromEntries(Object.keys(ROWS).map((table) => [table, 0])));
  });
});

import type { Answer } from '../../support/network/api-client.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const COUNT = 10_000;

describe('the deletion of a workspace with 10,000 of everything', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  const fill = async (workspace: string): Promise<void> => {
    const { organizationId, userId } = organization;
    const statements = [
      `INSERT INTO guardrails (id, organization_id, workspace_id, name, include_byok_in_budgets, created_at)
        SELECT gen_random_uuid(), $1, $2::uuid, 'Guardrail', false, now() FROM generate_series($3::int, $4::int)`,
      `WITH made AS (
          INSERT INTO scim_groups (id, organization_id, display_name, created_at, updated_at)
          SELECT gen_random_uuid(), $1, 'Group', now(), now() FROM generate_series($3::int, $4::int) RETURNING id)
        INSERT INTO scim_group_mappings (id, organization_id, scim_group_id, workspace_id, role, created_at, updated_at)
        SELECT gen_random_uuid(), $1, id, $2::uuid, 'member', now(), now() FROM made`,
      `WITH made AS (
          INSERT INTO presets (id, organization_id, workspace_id, slug, name, creator_id, created_at, updated_at)
          SELECT gen_random_uuid(), $1, $2::uuid, 'preset-' || n, 'Preset', '${userId}', now(), now()
          FROM generate_series($3::int, $4::int) AS n RETURNING id)
        INSERT INTO preset_versions (id, organization_id, preset_id, version, config, creator_id, created_at, updated_at)
        SELECT gen_random_uuid(), $1, id, 1, '{}', '${userId}', now(), now() FROM made`,
      `INSERT INTO observability_destinations (id, organization_id, workspace_id, type, enabled, privacy_mode, sampling_rate,
          broadcast_generation_cost, broadcast_generation_identity, broadcast_generation_request_context, encrypted_config,
          created_at, updated_at)
        SELECT gen_random_uuid(), $1, $2::uuid, 'webhook', true, false, 1, true, true, true, '', now(), now()
        FROM generate_series($3::int, $4::int)`,
      `INSERT INTO api_keys (id, organization_id, user_id, kind, hash, name, label, workspace_id, disabled, created_at)
        SELECT gen_random_uuid(), $1, '${userId}', 'api_key', uuid_send(gen_random_uuid()), 'Key', 'sk', $2::uuid, true, now()
        FROM generate_series($3::int, $4::int)`,
      `INSERT INTO authorization_codes (id, code_hash, organization_id, user_id, application_id, callback_url, workspace_id,
          issued_key_id, expires_at, created_at)
        SELECT gen_random_uuid(), uuid_send(gen_random_uuid()), $1, '${userId}',
          (SELECT id FROM oauth_applications WHERE organization_id = $1), 'https://example.com', $2::uuid, k.id, now(), now()
        FROM api_keys k WHERE k.workspace_id = $2::uuid AND $3::int = $4::int - ${COUNT / 10} + 1
          AND NOT EXISTS (SELECT FROM authorization_codes c WHERE c.issued_key_id = k.id)`,
    ];
    // By parts, for a statement of the test has no more time than one of a request.
    for (const statement of statements) {
      for (let first = 1; first <= COUNT; first += COUNT / 10) {
        await app.rows(statement, [organizationId, workspace, first, first + COUNT / 10 - 1]);
      }
    }
  };

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

    const answer = await remove(id);

    expect(answer.text).toBe('{"deleted":true}');
    for (const table of ['guardrails', 'scim_group_mappings', 'presets', 'observability_destinations', 'api_keys']) {
      const rows = await app.rows<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`,
        [neighbour],
      );
      expect({ table, ...rows[0] }).toEqual({ table, count: COUNT });
    }
    expect((await app.rows('SELECT id FROM guardrails WHERE workspace_id = $1', [id])).length).toBe(0);
  });
});

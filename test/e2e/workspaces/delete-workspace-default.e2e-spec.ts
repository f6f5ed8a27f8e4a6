import { newCode } from '../../support/resources/authorization-codes.js';
import { fillWorkspace } from './filled-workspace.js';
import { newKey } from '../../support/resources/keys.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { newWorkspace } from '../../support/resources/workspaces.js';
import { workspaceDeletion, CONFIRMED } from './workspace-deletion.js';

describe('deleteWorkspace', () => {
  const { app, organization, deleted, expectRefused, activeKeys } = workspaceDeletion();

  describe('for the default workspace', () => {
    it.each(['', '?confirm_default_workspace_deletion=false'])('answers 400 with "%s"', async (query) => {
      await expectRefused(`default${query}`, {
        status: 400,
        reason: 'default_workspace_deletion_not_confirmed',
        paths: ['confirm_default_workspace_deletion'],
      });
    });

    it.each(['yes', '1', 'TRUE', 'true&confirm_default_workspace_deletion=true'])(
      'answers 400 with anything but true as confirmation: %s',
      async (value) => {
        await expectRefused(`default?confirm_default_workspace_deletion=${value}`, {
          status: 400,
          reason: 'invalid_parameters',
          paths: ['confirm_default_workspace_deletion'],
        });
      },
    );

    it('answers 200 with the confirmation, though a management key is in use', async () => {
      await fillWorkspace(app, organization, organization.workspaceId, 'default');
      await app.factory.key(organization, { kind: 'management_key' });

      await deleted(`default${CONFIRMED}`);

      expect(
        await app.rows('SELECT id FROM workspaces WHERE organization_id = $1', [organization.organizationId]),
      ).toEqual([]);
      expect((await app.api.get('/workspaces', { key: organization.managementKey })).status).toBe(200);
    });

    it('answers 400 for active keys of it and of no workspace; both issues are named', async () => {
      const nameless = await app.factory.key(organization);
      const named = await newKey(app, organization.managementKey);
      expect(named.data.workspace_id).toBe(organization.workspaceId);

      await expectRefused(`default${CONFIRMED}`, activeKeys('id'));
      await expectRefused('default', activeKeys('confirm_default_workspace_deletion', 'id'));
      for (const hash of [nameless.hash, named.data.hash]) {
        await app.api.patch(`/keys/${hash}`, { key: organization.managementKey, json: { disabled: true } });
      }
      await deleted(`${organization.workspaceId}${CONFIRMED}`);

      const kept = await app.rows<{ kind: string }>('SELECT kind FROM api_keys WHERE organization_id = $1', [
        organization.organizationId,
      ]);
      expect(kept).toEqual([{ kind: 'management_key' }]);
    });

    it('answers 200, after which requests that need it answer 400 and all others succeed', async () => {
      const key = organization.managementKey;
      const other = await app.factory.workspace(organization);
      const code = await newCode(app, key);
      await deleted(`default${CONFIRMED}`);
      const refusal: Refusal = { status: 400, reason: 'default_workspace_deleted', userId: organization.userId };
      const body = { callback_url: 'https://app.example.com/callback' };

      expectRefusal(await app.api.post('/guardrails', { key, json: { name: 'x' } }), {
        ...refusal,
        paths: ['workspace_id'],
      });
      expectRefusal(await app.api.post('/keys', { key, json: { name: 'x' } }), { ...refusal, paths: ['workspace_id'] });
      expectRefusal(await app.api.post('/auth/keys/code', { key, json: body }), {
        ...refusal,
        paths: ['workspace_id'],
      });
      expectRefusal(await app.api.post('/auth/keys', { key, json: { code } }), { ...refusal, paths: ['code'] });

      const named = { workspace_id: other };
      expect((await app.api.post('/guardrails', { key, json: { name: 'x', ...named } })).status).toBe(201);
      expect((await app.api.post('/keys', { key, json: { name: 'x', ...named } })).status).toBe(201);
      expect((await app.api.post('/auth/keys/code', { key, json: { ...body, ...named } })).status).toBe(200);
      expect((await app.api.get('/guardrails', { key })).body).toEqual({ data: [], total_count: 0 });
      expect((await app.api.get('/organization/members', { key })).body).toMatchObject({ total_count: 1 });
    });

    it('answers 200, after which a workspace with its slug (201) is not the default one: 400', async () => {
      await deleted(`default${CONFIRMED}`);

      const { id } = await newWorkspace(app, organization, 'default');

      expect(await app.rows('SELECT is_default FROM workspaces WHERE id = $1', [id])).toEqual([{ is_default: false }]);
      const answer = await app.api.post('/guardrails', { key: organization.managementKey, json: { name: 'x' } });
      expect(answer.status).toBe(400);
      await deleted('default');
    });

    it('alone needs the confirmation: 200 without it for others', async () => {
      const id = await app.factory.workspace(organization);
      await deleted(`${id}${CONFIRMED}`);
      await deleted(`${await app.factory.workspace(organization)}?confirm_default_workspace_deletion=false`);
    });
  });
});

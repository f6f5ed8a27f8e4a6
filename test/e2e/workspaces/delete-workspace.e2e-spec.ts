import type { ErrorBody } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { fillWorkspace, type FilledWorkspace } from './filled-workspace.js';
import { newKey, statusOfCurrentKey } from '../../support/resources/keys.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { newWorkspace } from '../../support/resources/workspaces.js';
import { workspaceDeletion, CONFIRMED, type Rows } from './workspace-deletion.js';

describe('deleteWorkspace', () => {
  const { app, organization, deleted, everything, expectRefused, activeKeys } = workspaceDeletion();

  let count = 0;

  const filled = async (owner = organization): Promise<FilledWorkspace> => {
    const slug = `filled-${++count}`;
    return fillWorkspace(app, owner, await app.factory.workspace(owner, slug), slug);
  };

  const missingFrom = (rows: Rows, before: Rows): Record<string, string[]> =>
    Object.fromEntries(
      [...before]
        .map(([table, all]) => [table, all.filter((row) => !rows.get(table)!.includes(row))] as const)
        .filter(([, gone]) => gone.length > 0),
    );

  describe('deletes with the workspace (200)', () => {
    it('everything in it, and nothing of other workspaces', async () => {
      const other = await app.factory.organization();
      const target = await filled();
      await filled();
      await fillWorkspace(app, organization, organization.workspaceId, 'default');
      await fillWorkspace(app, other, await app.factory.workspace(other, target.slug), target.slug);
      const before = await everything();

      await deleted(target.id);

      const after = await everything();
      const gone = missingFrom(after, before);
      // The secrets of its keys are never accepted again.
      expect(Object.keys(missingFrom(before, after))).toEqual(['retired_key_hashes']);
      expect(Object.fromEntries(Object.entries(gone).map(([table, rows]) => [table, rows.length]))).toEqual({
        api_keys: 2,
        authorization_codes: 1,
        guardrail_key_assignments: 1,
        guardrails: 2,
        key_spend: 1,
        key_spend_totals: 1,
        member_guardrails: 1,
        observability_destinations: 1,
        preset_versions: 2,
        presets: 1,
        provider_keys: 1,
        scim_group_mappings: 1,
        workspace_budgets: 4,
        workspace_members: 1,
        workspaces: 1,
      });
      // What does not name the workspace names what did.
      const named = new Set([target.id, ...idsIn([...gone['guardrails']!, ...gone['presets']!, ...gone['api_keys']!])]);
      for (const row of Object.values(gone).flat()) expect([...named].some((id) => row.includes(id))).toBe(true);
    });

    it('the rows of lists, so that all totals are right', async () => {
      const target = await filled();
      const kept = await filled();

      await deleted(target.slug);

      const scopeOf = (id: string): string => `${organization.organizationId}/${id}`;
      const counted = (id: string): Promise<unknown[]> =>
        app.rows(
          `SELECT list FROM list_counts WHERE scope = $1 GROUP BY list HAVING sum(row_count) <> 0 ORDER BY list`,
          [scopeOf(id)],
        );
      expect(await app.rows('SELECT list FROM list_counts WHERE scope = $1', [scopeOf(target.id)])).toEqual([]);
      // Nor those of its guardrails' lists.
      const orphans = await app.rows(
        `SELECT list, scope FROM list_counts WHERE scope LIKE '%/%'
           AND split_part(scope, '/', 2)::uuid NOT IN (SELECT id FROM workspaces UNION SELECT id FROM guardrails)`,
      );
      expect(orphans).toEqual([]);
      expect((await counted(kept.id)).length).toBeGreaterThan(1);
      const key = organization.managementKey;
      const total = async (path: string): Promise<number> =>
        (await app.api.get<{ total_count: number }>(path, { key })).body.total_count;
      expect(await total('/workspaces')).toBe(2);
      expect(await total(`/guardrails?workspace_id=${target.id}`)).toBe(0);
      expect(await total(`/guardrails?workspace_id=${kept.id}`)).toBeGreaterThan(0);
      expect(await total('/scim/group-mappings')).toBe(1);
    });

    it('disabled and expired keys, which are answered 401 and named in the audit event', async () => {
      const target = await filled();
      const key = await app.factory.key(organization, { workspaceId: target.id, expiresAt: new Date(0) });
      const hashes = [target.disabledKey, target.expiredKey, key.hash].sort();

      await deleted(target.id);

      expect(await statusOfCurrentKey(app, key.plaintext)).toBe(401);
      const event = (await auditEventsOf(app, target.id)).at(-1)!;
      expect(event).toMatchObject({
        action: 'workspace.delete',
        target_type: 'workspace',
        target_id: target.id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: { name: { before: target.slug }, slug: { before: target.slug } },
      });
      expect([...(event.changes!['deleted_keys']!.before as string[])].sort()).toEqual(hashes);
    });

    it('nothing when it is empty, and records that', async () => {
      const { id, slug } = await newWorkspace(app, organization, `empty-${++count}`);

      await deleted(slug);

      expect((await auditEventsOf(app, id)).at(-1)!.changes).not.toHaveProperty('deleted_keys');
      expect(await app.rows('SELECT id FROM workspaces WHERE id = $1', [id])).toEqual([]);
    });
  });

  it('answers 200, and then 404 for the workspace, whose slug is free again', async () => {
    const { id, slug } = await newWorkspace(app, organization, `gone-${++count}`);

    await deleted(id.toUpperCase());

    for (const reference of [id, slug]) {
      await expectRefused(reference, { status: 404, reason: 'workspace_not_found' });
      expect((await app.api.get(`/workspaces/${reference}`, { key: organization.managementKey })).status).toBe(404);
    }
    expect((await newWorkspace(app, organization, slug)).id).not.toBe(id);
  });

  describe('with an active key', () => {
    it('answers 400 until the key is disabled, expired or deleted', async () => {
      const { id } = await filled();
      const { organizationId } = organization;
      const key = organization.managementKey;
      const keys = await Promise.all(
        Array.from({ length: 3 }, (_, index) =>
          newKey(app, key, { workspace_id: id, ...(index === 0 && { expires_at: '2099-01-01T00:00:00Z' }) }),
        ),
      );
      const refused = async (message: string): Promise<void> => {
        const answer = await expectRefused(id, activeKeys('id'));
        expect((answer.body as ErrorBody).error.metadata.issues).toEqual([{ path: 'id', message }]);
      };

      await refused('has 3 active keys');
      await app.rows(`UPDATE api_keys SET expires_at = now() WHERE organization_id = $1 AND expires_at > now()`, [
        organizationId,
      ]);
      await refused('has 2 active keys');
      await app.api.patch(`/keys/${keys[1]!.data.hash}`, { key, json: { disabled: true } });
      await refused('has 1 active key');
      await app.api.delete(`/keys/${keys[2]!.data.hash}`, { key });
      await deleted(id);
      expect(await statusOfCurrentKey(app, keys[1]!.key)).toBe(401);
    });

    it('of another workspace, organization or of the default workspace answers 200', async () => {
      const other = await app.factory.organization();
      const { id } = await filled();
      await newKey(app, organization.managementKey, { workspace_id: await app.factory.workspace(organization) });
      await newKey(app, organization.managementKey);
      await app.factory.key(organization);
      await newKey(app, other.managementKey);

      await deleted(id);
    });

    it('of a client or with a guardrail answers 400 as well', async () => {
      const { id } = await filled();
      const client = await app.factory.client(organization);
      await app.factory.key(organization, { workspaceId: id, connectClientId: client.id });

      await expectRefused(id, activeKeys('id'));
    });

    it('answers 400 for a management key that was created for the workspace', async () => {
      const { id } = await filled();
      await app.factory.key(organization, { workspaceId: id, kind: 'management_key' });

      await expectRefused(id, activeKeys('id'));
    });
  });

  it("answers 404 for a missing workspace and for another organization's", async () => {
    const other = await app.factory.organization();
    const theirs = await filled(other);

    for (const reference of [UNKNOWN_UUID, 'nowhere', theirs.id, theirs.slug, other.workspaceId]) {
      await expectRefused(`${reference}${CONFIRMED}`, { status: 404, reason: 'workspace_not_found' });
    }
  });

  it('answers 400 for other query parameters', async () => {
    const { id } = await filled();
    await expectRefused(`${id}?force=true`, { status: 400, reason: 'invalid_parameters', paths: ['force'] });
  });
});

function idsIn(rows: readonly string[]): string[] {
  return rows.map((row) => (JSON.parse(row) as { id: string }).id);
}

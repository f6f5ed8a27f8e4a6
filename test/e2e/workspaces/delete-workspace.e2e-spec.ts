import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { DeleteWorkspaceResponse } from '../../../src/modules/workspaces/dto/delete-workspace.dto.js';
import type { Answer, ErrorBody } from '../../support/api-client.js';
import { eventsOf } from '../../support/audit-events.js';
import { newCode } from '../../support/authorization-code.js';
import { expectToFitContract } from '../../support/contract.js';
import { type FurnishedWorkspace, furnish } from '../../support/furnished-workspace.js';
import { newKey, statusWith } from '../../support/key-answers.js';
import { expectRefusal, type Refusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';
import { newWorkspace } from '../../support/workspace-answers.js';

const CONFIRMED = '?confirm_default_workspace_deletion=true';

/** Where it is recorded and counted what is done to other tables. */
const BOOKKEEPING = ['audit_events', 'audit_heads', 'audit_links', 'list_counts'];

type Rows = ReadonlyMap<string, readonly string[]>;

describe('DELETE /workspaces/{id}', () => {
  let app: TestApplication;
  let organization: NewOrganization;
  let count = 0;

  beforeAll(async () => {
    app = await TestApplication.start();
  });

  beforeEach(async () => {
    organization = await app.factory.organization();
  });

  afterAll(() => app.stop());

  const remove = (reference: string, owner = organization): Promise<Answer<DeleteWorkspaceResponse>> =>
    app.api.delete(`/workspaces/${reference}`, { key: owner.managementKey });

  const deleted = async (reference: string, owner = organization): Promise<void> => {
    const answer = await remove(reference, owner);
    expect(answer.text).toBe('{"deleted":true}');
    expect(answer.status).toBe(200);
    expectToFitContract('deleteWorkspace', 200, answer.body);
  };

  const furnished = async (owner = organization): Promise<FurnishedWorkspace> => {
    const slug = `furnished-${++count}`;
    return furnish(app, owner, await app.factory.workspace(owner, slug), slug);
  };

  /** Every row of the database, as text. */
  const everything = async (): Promise<Rows> => {
    const tables = await app.rows<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const rows = new Map<string, string[]>();
    for (const { name } of tables) {
      if (BOOKKEEPING.includes(name)) continue;
      const found = await app.rows<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
      rows.set(
        name,
        found.map(({ row }) => row),
      );
    }
    return rows;
  };

  const missingFrom = (rows: Rows, before: Rows): Record<string, string[]> =>
    Object.fromEntries(
      [...before]
        .map(([table, all]) => [table, all.filter((row) => !rows.get(table)!.includes(row))] as const)
        .filter(([, gone]) => gone.length > 0),
    );

  /** Refused, and nothing deleted. */
  const expectRefused = async (reference: string, refusal: Refusal): Promise<Answer> => {
    const before = await everything();
    const answer = await remove(reference);
    expectRefusal(answer, { userId: organization.userId, ...refusal });
    expectToFitContract('deleteWorkspace', refusal.status, answer.body);
    expect(await everything()).toEqual(before);
    return answer;
  };

  const activeKeys = (...paths: string[]): Refusal => ({
    status: 400,
    reason: paths.length === 1 ? 'workspace_has_active_keys' : 'invalid_parameters',
    paths,
  });

  describe('takes along', () => {
    it('what is in the workspace, and nothing else of anybody', async () => {
      const other = await app.factory.organization();
      const doomed = await furnished();
      await furnished();
      await furnish(app, organization, organization.workspaceId, 'default');
      await furnish(app, other, await app.factory.workspace(other, doomed.slug), doomed.slug);
      const before = await everything();

      await deleted(doomed.id);

      const after = await everything();
      const gone = missingFrom(after, before);
      expect(missingFrom(before, after)).toEqual({});
      expect(Object.fromEntries(Object.entries(gone).map(([table, rows]) => [table, rows.length]))).toEqual({
        api_keys: 2,
        authorization_codes: 1,
        guardrail_key_assignments: 1,
        guardrail_member_assignments: 1,
        guardrails: 2,
        key_spend: 1,
        key_spend_totals: 1,
        observability_destinations: 1,
        preset_versions: 2,
        presets: 1,
        scim_group_mappings: 1,
        workspace_budgets: 4,
        workspace_members: 1,
        workspaces: 1,
      });
      // What does not name the workspace names what did.
      const named = new Set([doomed.id, ...idsIn([...gone['guardrails']!, ...gone['presets']!, ...gone['api_keys']!])]);
      for (const row of Object.values(gone).flat()) expect([...named].some((id) => row.includes(id))).toBe(true);
    });

    it('has counts of lists that are right afterwards, and none left behind', async () => {
      const doomed = await furnished();
      const kept = await furnished();

      await deleted(doomed.slug);

      const scopeOf = (id: string): string => `${organization.organizationId}/${id}`;
      const counted = (id: string): Promise<unknown[]> =>
        app.rows(
          `SELECT list FROM list_counts WHERE scope = $1 GROUP BY list HAVING sum(row_count) <> 0 ORDER BY list`,
          [scopeOf(id)],
        );
      expect(await app.rows('SELECT list FROM list_counts WHERE scope = $1', [scopeOf(doomed.id)])).toEqual([]);
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
      expect(await total(`/guardrails?workspace_id=${doomed.id}`)).toBe(0);
      expect(await total(`/guardrails?workspace_id=${kept.id}`)).toBeGreaterThan(0);
      expect(await total('/scim/group-mappings')).toBe(1);
    });

    it('disabled and expired keys, which are dead from then on and named in the record', async () => {
      const doomed = await furnished();
      const key = await app.factory.key(organization, { workspaceId: doomed.id, expiresAt: new Date(0) });
      const hashes = [doomed.disabledKey, doomed.expiredKey, key.hash].sort();

      await deleted(doomed.id);

      expect(await statusWith(app, key.plaintext)).toBe(401);
      const event = (await eventsOf(app, doomed.id)).at(-1)!;
      expect(event).toMatchObject({
        action: 'workspace.delete',
        target_type: 'workspace',
        target_id: doomed.id,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: { name: { before: doomed.slug }, slug: { before: doomed.slug } },
      });
      expect([...(event.changes!['deleted_keys']!.before as string[])].sort()).toEqual(hashes);
    });

    it('nothing, and says so, where it was empty', async () => {
      const { id, slug } = await newWorkspace(app, organization, `empty-${++count}`);

      await deleted(slug);

      expect((await eventsOf(app, id)).at(-1)!.changes).not.toHaveProperty('deleted_keys');
      expect(await app.rows('SELECT id FROM workspaces WHERE id = $1', [id])).toEqual([]);
    });
  });

  it('leaves nothing to find, and the slug to others', async () => {
    const { id, slug } = await newWorkspace(app, organization, `gone-${++count}`);

    await deleted(id.toUpperCase());

    for (const reference of [id, slug]) {
      await expectRefused(reference, { status: 404, reason: 'workspace_not_found' });
      expect((await app.api.get(`/workspaces/${reference}`, { key: organization.managementKey })).status).toBe(404);
    }
    expect((await newWorkspace(app, organization, slug)).id).not.toBe(id);
  });

  describe('an active key', () => {
    it('keeps the workspace, until it is disabled, expired or deleted', async () => {
      const { id } = await furnished();
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
      expect(await statusWith(app, keys[1]!.key)).toBe(401);
    });

    it('of another workspace does not matter, nor one of another organization, nor one of the default workspace', async () => {
      const other = await app.factory.organization();
      const { id } = await furnished();
      await newKey(app, organization.managementKey, { workspace_id: await app.factory.workspace(organization) });
      await newKey(app, organization.managementKey);
      await app.factory.key(organization);
      await newKey(app, other.managementKey);

      await deleted(id);
    });

    it('that belongs to a client or to a guardrail keeps it just so', async () => {
      const { id } = await furnished();
      const client = await app.factory.client(organization);
      await app.factory.key(organization, { workspaceId: id, connectClientId: client.id });

      await expectRefused(id, activeKeys('id'));
    });

    it('may be a management key that was made for the workspace', async () => {
      const { id } = await furnished();
      await app.factory.key(organization, { workspaceId: id, kind: 'management_key' });

      await expectRefused(id, activeKeys('id'));
    });
  });

  describe('the default workspace', () => {
    it.each(['', '?confirm_default_workspace_deletion=false'])('is not deleted with "%s"', async (query) => {
      await expectRefused(`default${query}`, {
        status: 400,
        reason: 'default_workspace_deletion_not_confirmed',
        paths: ['confirm_default_workspace_deletion'],
      });
    });

    it.each(['yes', '1', 'TRUE', 'true&confirm_default_workspace_deletion=true'])(
      'is not deleted by what is not the word: %s',
      async (value) => {
        await expectRefused(`default?confirm_default_workspace_deletion=${value}`, {
          status: 400,
          reason: 'invalid_parameters',
          paths: ['confirm_default_workspace_deletion'],
        });
      },
    );

    it('is deleted with a word that it is meant, though a management key is in use', async () => {
      await furnish(app, organization, organization.workspaceId, 'default');
      await app.factory.key(organization, { kind: 'management_key' });

      await deleted(`default${CONFIRMED}`);

      expect(
        await app.rows('SELECT id FROM workspaces WHERE organization_id = $1', [organization.organizationId]),
      ).toEqual([]);
      expect((await app.api.get('/workspaces', { key: organization.managementKey })).status).toBe(200);
    });

    it('is kept by a key that names no workspace, and by one that names it; both faults are named', async () => {
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

    it('is missed by all that falls back on it, and by nothing else', async () => {
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

    it('does not come back with its slug', async () => {
      await deleted(`default${CONFIRMED}`);

      const { id } = await newWorkspace(app, organization, 'default');

      expect(await app.rows('SELECT is_default FROM workspaces WHERE id = $1', [id])).toEqual([{ is_default: false }]);
      const answer = await app.api.post('/guardrails', { key: organization.managementKey, json: { name: 'x' } });
      expect(answer.status).toBe(400);
      await deleted('default');
    });

    it('alone needs the word: elsewhere it does not matter', async () => {
      const id = await app.factory.workspace(organization);
      await deleted(`${id}${CONFIRMED}`);
      await deleted(`${await app.factory.workspace(organization)}?confirm_default_workspace_deletion=false`);
    });
  });

  it("does not find what there is not, nor another organization's", async () => {
    const other = await app.factory.organization();
    const theirs = await furnished(other);

    for (const reference of [UNKNOWN_UUID, 'nowhere', theirs.id, theirs.slug, other.workspaceId]) {
      await expectRefused(`${reference}${CONFIRMED}`, { status: 404, reason: 'workspace_not_found' });
    }
  });

  it('takes no other query', async () => {
    const { id } = await furnished();
    await expectRefused(`${id}?force=true`, { status: 400, reason: 'invalid_parameters', paths: ['force'] });
  });

  describeWhoMayCall(['management_key'], async () => ({
    app,
    organization,
    operationId: 'deleteWorkspace',
    method: 'DELETE',
    path: `/workspaces/${await app.factory.workspace(organization)}`,
  }));
});

function idsIn(rows: readonly string[]): string[] {
  return rows.map((row) => (JSON.parse(row) as { id: string }).id);
}

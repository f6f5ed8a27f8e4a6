import { replicaOfSuite, sharedApplication } from '../../support/application/shared-application.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Answer } from '../../support/network/api-client.js';
import { newCode } from '../../support/resources/authorization-codes.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { type TestApplication } from '../../support/application/test-application.js';

const CONFIRMED = '?confirm_default_workspace_deletion=true';

const ROUNDS = 20;

describe('while a workspace is being deleted', () => {
  const app = sharedApplication({ topic: 'suite' });
  const replica = replicaOfSuite(app);
  let organization: NewOrganization;
  let key: string;

  beforeEach(async () => {
    organization = await app.factory.organization();
    key = organization.managementKey;
  });

  const remove = (id: string, { api } = app): Promise<Answer> => api.delete(`/workspaces/${id}${CONFIRMED}`, { key });

  const lockWorkspace = (id: string): Promise<() => Promise<void>> =>
    lockRows(app, 'SELECT id FROM workspaces WHERE id = $1 FOR UPDATE', [id]);

  const exists = async (id: string): Promise<boolean> =>
    (await app.rows('SELECT id FROM workspaces WHERE id = $1', [id])).length === 1;

  const activeKeys = (): Promise<{ workspace_id: string | null }[]> =>
    app.rows(`SELECT workspace_id FROM api_keys WHERE organization_id = $1 AND kind = 'api_key' AND NOT disabled`, [
      organization.organizationId,
    ]);

  /** Sends two requests at once and in either order, again and again. */
  const race = async (
    prepare: () => Promise<string>,
    other: (id: string, on: TestApplication) => Promise<Answer>,
    judge: (deletion: Answer, answer: Answer, id: string) => Promise<void>,
  ): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await prepare();
      const release = round % 3 === 0 ? await lockWorkspace(id) : undefined;
      const both = round % 2 === 0 ? [remove(id), other(id, replica)] : [other(id, app), remove(id, replica)].reverse();
      // Both wait for a third transaction, and continue one after the other.
      if (release !== undefined) {
        await untilWaitingForLock(app, 2);
        await release();
      }
      const [deletion, answer] = await Promise.all(both);
      await judge(deletion!, answer!, id);
    }
  };

  it('creating a key in it answers 201 and the deletion 400, or the deletion 200 and the key 400', async () => {
    const outcomes = new Set<string>();

    await race(
      () => app.factory.workspace(organization),
      (id, on) => on.api.post('/keys', { key, json: { name: 'Racing', workspace_id: id } }),
      async (deletion, creation, id) => {
        outcomes.add(`${deletion.status} ${creation.status}`);
        if (creation.status === 201) {
          expectRefusal(deletion, {
            status: 400,
            reason: 'workspace_has_active_keys',
            paths: ['id'],
            userId: organization.userId,
          });
        } else {
          expect(deletion.status).toBe(200);
          expectRefusal(creation, {
            status: 400,
            reason: 'workspace_not_found',
            paths: ['workspace_id'],
            userId: organization.userId,
          });
        }
        expect(await exists(id)).toBe(creation.status === 201);
      },
    );

    expect([...outcomes].filter((outcome) => !['200 400', '400 201'].includes(outcome))).toEqual([]);
  });

  it('enabling a key in it answers 200, and the deletion 400', async () => {
    const id = await app.factory.workspace(organization);
    const { hash, id: keyId } = await app.factory.key(organization, { workspaceId: id });
    await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [keyId]);
    const release = await lockRows(app, 'SELECT id FROM api_keys WHERE id = $1 FOR UPDATE', [keyId]);
    const enabling = app.api.patch(`/keys/${hash}`, { key, json: { disabled: false } });
    await untilWaitingForLock(app, 1);
    const deletion = remove(id, replica);
    await untilWaitingForLock(app, 2);

    await release();

    expect((await enabling).status).toBe(200);
    expect((await deletion).status).toBe(400);
    expect(await activeKeys()).toEqual([{ workspace_id: id }]);
  });

  it('enabling a key that was deleted with it answers 404, and the deletion 200', async () => {
    const id = await app.factory.workspace(organization);
    const { hash, id: keyId } = await app.factory.key(organization, { workspaceId: id });
    await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [keyId]);
    const release = await lockRows(app, 'SELECT id FROM api_keys WHERE id = $1 FOR UPDATE', [keyId]);
    const deletion = remove(id);
    await untilWaitingForLock(app, 1);
    const enabling = replica.api.patch(`/keys/${hash}`, { key, json: { disabled: false } });
    await untilWaitingForLock(app, 2);

    await release();

    expect((await deletion).status).toBe(200);
    expectRefusal(await enabling, { status: 404, reason: 'key_not_found', userId: organization.userId });
  });

  it('exchanging a code for a key in the default workspace answers 200 and the deletion 400, or the other way round', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      organization = await app.factory.organization();
      key = organization.managementKey;
      const code = await newCode(app, key);
      const release = round % 3 === 0 ? await lockWorkspace(organization.workspaceId) : undefined;
      const exchange = replica.api.post('/auth/keys', { key, json: { code } });
      const deletion = remove(organization.workspaceId);
      if (release !== undefined) {
        await untilWaitingForLock(app, 2);
        await release();
      }
      const statuses = [(await exchange).status, (await deletion).status];
      expect(['200 400', '400 200']).toContain(statuses.join(' '));
      expect(await activeKeys()).toHaveLength(statuses[0] === 200 ? 1 : 0);
      expect(await exists(organization.workspaceId)).toBe(statuses[0] === 200);
    }
  });

  it('creating anything else in it never answers 500, and nothing outlives the deletion (200)', async () => {
    await app.factory.enableScim(organization);
    const memberId = await app.factory.member(organization.organizationId);
    const puts: readonly ((id: string, on: TestApplication) => Promise<Answer>)[] = [
      (id, { api }) => api.post('/guardrails', { key, json: { name: 'x', workspace_id: id } }),
      (id, { api }) => api.put(`/workspaces/${id}/budgets/daily`, { key, json: { limit_usd: 1 } }),
      (id, { api }) => api.delete(`/workspaces/${id}/budgets/daily`, { key }),
      (id, { api }) => api.patch(`/workspaces/${id}`, { key, json: { name: 'x' } }),
      (id, { api }) => api.post(`/workspaces/${id}/members/add`, { key, json: { user_ids: [memberId] } }),
      async (id, { api }) => {
        const group = await app.factory.scimGroup(organization);
        return api.post('/scim/group-mappings', { key, json: { scim_group_id: group, workspace_id: id } });
      },
    ];

    for (const put of puts) {
      for (let round = 0; round < 8; round += 1) {
        const id = await app.factory.workspace(organization);
        const [deletion, answer] = await Promise.all([remove(id), put(id, replica)]);
        expect(deletion.status).toBe(200);
        expect([200, 201, 400, 404]).toContain(answer.status);
      }
    }

    expect(
      await app.rows('SELECT id FROM workspaces WHERE organization_id = $1', [organization.organizationId]),
    ).toEqual([{ id: organization.workspaceId }]);
  });

  it('of several deletions one answers 200 and the others 404', async () => {
    const id = await app.factory.workspace(organization);

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => remove(id, index % 2 === 0 ? app : replica)),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(404)]);
    const events = await app.rows(`SELECT id FROM audit_events WHERE target_id = $1 AND action = 'workspace.delete'`, [
      id,
    ]);
    expect(events).toHaveLength(1);
  });
});

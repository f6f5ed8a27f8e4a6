import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Answer } from '../../support/api-client.js';
import { newCode } from '../../support/authorization-code.js';
import { expectRefusal } from '../../support/refusal.js';
import { lockRows, untilWaiting } from '../../support/row-lock.js';
import { TestApplication } from '../../support/test-application.js';

const CONFIRMED = '?confirm_default_workspace_deletion=true';

const ROUNDS = 20;

describe('while a workspace is deleted', () => {
  let app: TestApplication;
  let replica: TestApplication;
  let organization: NewOrganization;
  let key: string;

  beforeAll(async () => {
    app = await TestApplication.start();
    replica = await TestApplication.start({ database: app.database });
  });

  beforeEach(async () => {
    organization = await app.factory.organization();
    key = organization.managementKey;
  });

  afterAll(async () => {
    await replica.stop();
    await app.stop();
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
      // Both wait for somebody else, and come one behind the other.
      if (release !== undefined) {
        await untilWaiting(app, 2);
        await release();
      }
      const [deletion, answer] = await Promise.all(both);
      await judge(deletion!, answer!, id);
    }
  };

  it('a key that is made in it either keeps it or is refused, and none survives it', async () => {
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

  it('a key that is enabled in it keeps it', async () => {
    const id = await app.factory.workspace(organization);
    const { hash, id: keyId } = await app.factory.key(organization, { workspaceId: id });
    await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [keyId]);
    const release = await lockRows(app, 'SELECT id FROM api_keys WHERE id = $1 FOR UPDATE', [keyId]);
    const enabling = app.api.patch(`/keys/${hash}`, { key, json: { disabled: false } });
    await untilWaiting(app, 1);
    const deletion = remove(id, replica);
    await untilWaiting(app, 2);

    await release();

    expect((await enabling).status).toBe(200);
    expect((await deletion).status).toBe(400);
    expect(await activeKeys()).toEqual([{ workspace_id: id }]);
  });

  it('a key that is to be enabled behind it is gone', async () => {
    const id = await app.factory.workspace(organization);
    const { hash, id: keyId } = await app.factory.key(organization, { workspaceId: id });
    await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [keyId]);
    const release = await lockRows(app, 'SELECT id FROM api_keys WHERE id = $1 FOR UPDATE', [keyId]);
    const deletion = remove(id);
    await untilWaiting(app, 1);
    const enabling = replica.api.patch(`/keys/${hash}`, { key, json: { disabled: false } });
    await untilWaiting(app, 2);

    await release();

    expect((await deletion).status).toBe(200);
    expectRefusal(await enabling, { status: 404, reason: 'key_not_found', userId: organization.userId });
  });

  it('a code that is exchanged for a key in the default workspace either keeps that or is refused', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      organization = await app.factory.organization();
      key = organization.managementKey;
      const code = await newCode(app, key);
      const release = round % 3 === 0 ? await lockWorkspace(organization.workspaceId) : undefined;
      const exchange = replica.api.post('/auth/keys', { key, json: { code } });
      const deletion = remove(organization.workspaceId);
      if (release !== undefined) {
        await untilWaiting(app, 2);
        await release();
      }
      const statuses = [(await exchange).status, (await deletion).status];
      expect(['200 400', '400 200']).toContain(statuses.join(' '));
      expect(await activeKeys()).toHaveLength(statuses[0] === 200 ? 1 : 0);
      expect(await exists(organization.workspaceId)).toBe(statuses[0] === 200);
    }
  });

  it('nothing else that is put into it is answered with a failure, nor survives it', async () => {
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

  it('it is deleted once', async () => {
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

import type { DeleteScimGroupMappingResponse } from '../../../src/modules/scim/dto/delete-scim-group-mapping.dto.js';
import type { Answer } from '../../support/api-client.js';
import { eventsOf } from '../../support/audit-events.js';
import { expectToFitContract } from '../../support/contract.js';
import { expectRefusal, type Refusal } from '../../support/refusal.js';
import { ScimScene } from '../../support/scim-scene.js';
import { TestApplication } from '../../support/test-application.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';

describe('DELETE /scim/group-mappings/{id}', () => {
  let app: TestApplication;
  let scene: ScimScene;

  beforeAll(async () => {
    app = await TestApplication.start();
    scene = await ScimScene.make(app);
  });

  afterAll(() => app.stop());

  const remove = (
    id: string,
    query: string,
    { organization } = scene,
  ): Promise<Answer<DeleteScimGroupMappingResponse>> =>
    app.api.delete(`/scim/group-mappings/${id}${query}`, { key: organization.managementKey });

  const rows = async (): Promise<unknown[]> => [
    ...(await app.rows('SELECT * FROM scim_group_mappings ORDER BY id')),
    ...(await app.rows('SELECT * FROM workspace_members ORDER BY id')),
  ];

  const expectRefused = async (id: string, query: string, refusal: Refusal, by = scene): Promise<void> => {
    const before = await rows();
    const answer = await remove(id, query, by);
    expectRefusal(answer, { userId: by.organization.userId, ...refusal });
    expectToFitContract('deleteScimGroupMapping', answer.status, answer.body);
    expect(await rows()).toEqual(before);
  };

  /** A workspace with somebody who is a member by the mapping alone, by another one and by hand as well. */
  const mixed = async (): Promise<{ id: string; workspace: string; users: [string, string, string] }> => {
    const users = (await scene.users(3)) as [string, string, string];
    const workspace = await scene.workspace();
    await scene.map(await scene.group([users[1]]), workspace, 'member');
    await app.factory.workspaceMember(scene.organization.organizationId, workspace, users[2], 'member');
    const { id } = await scene.map(await scene.group(users), workspace, 'admin');
    expect((await scene.memberships(workspace)).map(({ role }) => role)).toEqual(['admin', 'admin', 'admin']);
    return { id, workspace, users };
  };

  it('removes the members that there are by the mapping alone, and records it', async () => {
    const { id, workspace, users } = await mixed();

    const answer = await remove(id, '?keep_members=false');

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ deleted: true });
    expectToFitContract('deleteScimGroupMapping', 200, answer.body);
    expect(await app.rows('SELECT id FROM scim_group_mappings WHERE id = $1', [id])).toEqual([]);
    expect(new Set(await scene.memberships(workspace))).toEqual(
      new Set([
        { user_id: users[1], role: 'member', manual_role: null, scim_role: 'member' },
        { user_id: users[2], role: 'member', manual_role: 'member', scim_role: null },
      ]),
    );
    expect((await eventsOf(app, id)).at(-1)).toEqual({
      action: 'scim_group_mapping.delete',
      target_type: 'scim_group_mapping',
      target_id: id,
      actor_kind: 'management_key',
      actor_id: scene.organization.userId,
      changes: { keep_members: { after: false } },
    });
  });

  it('keeps the members as if they had been added by hand, with the role that they had by it', async () => {
    const { id, workspace, users } = await mixed();
    const ids = await app.rows('SELECT id, user_id, created_at FROM workspace_members ORDER BY id');

    const answer = await remove(id, '?keep_members=true');

    expect(answer.body).toEqual({ deleted: true });
    expect(new Set(await scene.memberships(workspace))).toEqual(
      new Set([
        { user_id: users[0], role: 'admin', manual_role: 'admin', scim_role: null },
        { user_id: users[1], role: 'admin', manual_role: 'admin', scim_role: 'member' },
        // Given by hand before, and so left as it was given.
        { user_id: users[2], role: 'member', manual_role: 'member', scim_role: null },
      ]),
    );
    expect(await app.rows('SELECT id, user_id, created_at FROM workspace_members ORDER BY id')).toEqual(ids);
    expect((await eventsOf(app, id)).at(-1)!.changes).toEqual({ keep_members: { after: true } });
  });

  it('lets the pair be mapped again', async () => {
    const [user] = (await scene.users(1)) as [string];
    const [group, workspace] = [await scene.group([user]), await scene.workspace()];
    const { id } = await scene.map(group, workspace);

    await remove(id, '?keep_members=false');
    await scene.map(group, workspace, 'admin');

    expect(await scene.memberships(workspace)).toEqual(scene.mapped([user], 'admin'));
  });

  it('finds nothing the second time, and of many at once one finds it', async () => {
    const { id } = await scene.map(await scene.group(await scene.users(2)), await scene.workspace());

    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(id, '?keep_members=false')));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(404)]);
    await expectRefused(id, '?keep_members=true', { status: 404, reason: 'scim_group_mapping_not_found' });
    expect((await eventsOf(app, id)).filter(({ action }) => action.endsWith('.delete'))).toHaveLength(1);
  });

  it.each([
    ['', ['keep_members']],
    ['?keep_members', ['keep_members']],
    ['?keep_members=', ['keep_members']],
    ['?keep_members=1', ['keep_members']],
    ['?keep_members=True', ['keep_members']],
    ['?keep_members=null', ['keep_members']],
    ['?keep_members=true&keep_members=true', ['keep_members']],
    ['?keep_members=true&force=true', ['force']],
  ])('does not take "%s"', async (query, paths) => {
    const { id } = await scene.map(await scene.group(await scene.users(1)), await scene.workspace());

    await expectRefused(id, query, { status: 400, reason: 'invalid_parameters', paths });
  });

  it.each([UNKNOWN_UUID, 'nowhere'])('does not find %s', async (id) => {
    await expectRefused(id, '?keep_members=false', { status: 404, reason: 'scim_group_mapping_not_found' });
    await expectRefused(id, '', { status: 400, reason: 'invalid_parameters', paths: ['keep_members'] });
  });

  it("does not find another organization's", async () => {
    const other = await ScimScene.make(app);
    const { id } = await other.map(await other.group(await other.users(1)), await other.workspace());

    await expectRefused(id, '?keep_members=false', { status: 404, reason: 'scim_group_mapping_not_found' });
  });

  it('does not exist for an organization without SCIM', async () => {
    const other = await ScimScene.make(app);
    const { id } = await other.map(await other.group(), await other.workspace());
    await app.rows('UPDATE organizations SET scim_enabled = false WHERE id = $1', [other.organization.organizationId]);

    await expectRefused(id, '?keep_members=false', { status: 404, reason: 'scim_not_enabled' }, other);
  });

  describeWhoMayCall(['management_key'], async () => ({
    app,
    organization: scene.organization,
    operationId: 'deleteScimGroupMapping',
    method: 'DELETE',
    path: `/scim/group-mappings/${(await scene.map(await scene.group(), await scene.workspace())).id}?keep_members=false`,
  }));
});

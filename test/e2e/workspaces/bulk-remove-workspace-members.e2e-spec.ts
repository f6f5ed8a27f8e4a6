import type { BulkRemoveWorkspaceMembersResponse } from '../../../src/modules/workspaces/dto/bulk-workspace-members.dto.js';
import type { ErrorBody } from '../../support/api-client.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';
import { describeMemberRequests, MOST_USERS, WorkspaceMembersScene } from '../../support/workspace-members.js';

describe('POST /workspaces/{id}/members/remove', () => {
  let app: TestApplication;
  let scene: WorkspaceMembersScene;

  beforeAll(async () => {
    app = await TestApplication.start();
  });

  beforeEach(async () => {
    scene = await WorkspaceMembersScene.make(app, 'remove');
  });

  afterAll(() => app.stop());

  const remove = async (userIds: readonly string[], workspace?: string): Promise<number> =>
    (await scene.done<BulkRemoveWorkspaceMembersResponse>(userIds, workspace)).removed_count;

  const present = async (): Promise<string[]> =>
    (await scene.scim.memberships(scene.workspace)).map(({ user_id: userId }) => userId);

  /** An active key of a user in the workspace. */
  const giveKey = (userId: string): Promise<unknown> =>
    app.factory.key({ ...scene.organization, userId }, { workspaceId: scene.workspace });

  it('removes those who are named and nobody else, and records it', async () => {
    const [one, other, kept] = (await scene.scim.users(3)) as [string, string, string];
    await scene.join([one, other, kept]);

    expect(await remove([one, other])).toBe(2);

    expect(await present()).toEqual([kept]);
    expect(await scene.events()).toEqual([
      {
        action: 'workspace.remove_members',
        target_type: 'workspace',
        target_id: scene.workspace,
        actor_kind: 'management_key',
        actor_id: scene.organization.userId,
        changes: { user_ids: { before: expect.arrayContaining([one, other]) as unknown } },
      },
    ]);
  });

  it('does not mind who is no member, is of no organization, or is named twice, and counts memberships', async () => {
    const [member, stranger] = (await scene.scim.users(2)) as [string, string];
    const foreign = (await app.factory.organization()).userId;
    await scene.join([member]);

    expect(await remove([stranger, member, 'nobody', foreign, member])).toBe(1);

    expect((await scene.events()).at(-1)?.changes).toEqual({ user_ids: { before: [member] } });
  });

  it('answers that nobody was there the second time, and records nothing', async () => {
    const users = await scene.scim.users(2);
    await scene.join(users);
    await remove(users);
    const events = await scene.events();

    expect(await remove(users)).toBe(0);
    expect(await scene.events()).toEqual(events);
  });

  it('leaves the members of other workspaces alone', async () => {
    const users = await scene.scim.users(2);
    await scene.join(users);
    const neighbour = await scene.scim.workspace();
    await app.factory.workspaceMember(scene.organization.organizationId, neighbour, users[0]!, 'admin');

    await remove(users);

    expect(await scene.scim.memberships(neighbour)).toMatchObject([{ user_id: users[0], role: 'admin' }]);
  });

  it('removes nobody when somebody is a member by a mapped group, by hand as well or not', async () => {
    const [mapped, both, manual] = (await scene.scim.users(3)) as [string, string, string];
    await scene.join([both, manual]);
    const { id } = await scene.scim.map(await scene.scim.group([mapped, both]), scene.workspace);

    await scene.expectRefused(
      { user_ids: [manual, mapped, both] },
      { status: 400, reason: 'member_is_scim_managed', paths: ['user_ids[1]', 'user_ids[2]'] },
    );

    const path = `/scim/group-mappings/${id}?keep_members=false`;
    await app.api.delete(path, { key: scene.organization.managementKey });
    expect(await remove([manual, mapped, both])).toBe(2);
  });

  it('removes nobody when somebody has active keys in the workspace', async () => {
    const [holder, free] = (await scene.scim.users(2)) as [string, string];
    await scene.join([holder, free]);
    await giveKey(holder);

    await scene.expectRefused(
      { user_ids: [free, holder] },
      { status: 400, reason: 'member_has_active_keys', paths: ['user_ids[1]'] },
    );
  });

  it('removes whose keys are disabled, expired, or of another workspace', async () => {
    const users = (await scene.scim.users(3)) as [string, string, string];
    await scene.join(users);
    const key = (userId: string, fields: object): Promise<{ id: string }> =>
      app.factory.key({ ...scene.organization, userId }, { workspaceId: scene.workspace, ...fields });
    const { id } = await key(users[0], {});
    await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [id]);
    await key(users[1], { expiresAt: new Date(0) });
    await key(users[2], { workspaceId: await scene.scim.workspace() });

    expect(await remove(users)).toBe(3);
  });

  it('names every fault: of each user, and each of one user', async () => {
    const [mapped, holder, both] = (await scene.scim.users(3)) as [string, string, string];
    await scene.join([holder]);
    await scene.scim.map(await scene.scim.group([mapped, both]), scene.workspace);
    await giveKey(holder);
    await giveKey(both);

    const answer = await scene.expectRefused(
      { user_ids: [both, mapped, holder] },
      {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['user_ids[0]', 'user_ids[0]', 'user_ids[1]', 'user_ids[2]'],
      },
    );

    const { issues } = (answer.body as ErrorBody).error.metadata;
    expect(issues!.map(({ path, message }) => `${path} ${message}`)).toEqual([
      'user_ids[0] is a member by a SCIM group mapping',
      'user_ids[0] has active keys in the workspace',
      'user_ids[1] is a member by a SCIM group mapping',
      'user_ids[2] has active keys in the workspace',
    ]);
  });

  it(`removes ${MOST_USERS} at once, by slug`, async () => {
    const users = await scene.scim.users(MOST_USERS);
    await scene.join(users);
    await app.rows(`UPDATE workspaces SET slug = 'by-slug' WHERE id = $1`, [scene.workspace]);

    expect(await remove(users, 'by-slug')).toBe(MOST_USERS);
    expect(await present()).toEqual([]);
  });

  it('counts each membership once among many who remove the same at the same time', async () => {
    const users = await scene.scim.users(3);
    await scene.join(users);

    const counts = await Promise.all(
      Array.from({ length: 10 }, (_, index) => remove(index % 2 === 0 ? users : [...users].reverse())),
    );

    expect(counts.sort()).toEqual([...Array<number>(9).fill(0), 3]);
    expect(await scene.events()).toHaveLength(1);
  });

  describeMemberRequests(() => scene);

  describeWhoMayCall(['management_key'], async () => {
    const users = await scene.scim.users(1);
    await scene.join(users);
    return {
      app,
      organization: scene.organization,
      operationId: scene.operationId,
      method: 'POST',
      path: scene.path(),
      json: { user_ids: users },
    };
  });
});

import type { BulkAddWorkspaceMembersResponse } from '../../../src/modules/workspaces/dto/bulk-workspace-members.dto.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';
import { TIMESTAMP, UUID_V7 } from '../../support/wire-forms.js';
import { describeMemberRequests, MOST_USERS, WorkspaceMembersScene } from '../../support/workspace-members.js';

describe('POST /workspaces/{id}/members/add', () => {
  let app: TestApplication;
  let scene: WorkspaceMembersScene;

  beforeAll(async () => {
    app = await TestApplication.start();
  });

  beforeEach(async () => {
    scene = await WorkspaceMembersScene.make(app, 'add');
  });

  afterAll(() => app.stop());

  const add = (userIds: readonly string[], workspace?: string): Promise<BulkAddWorkspaceMembersResponse> =>
    scene.done<BulkAddWorkspaceMembersResponse>(userIds, workspace);

  const byHand = (user_id: string, role: string): object => ({ user_id, role, manual_role: role, scim_role: null });

  it('makes each a member with the role of the organization, in the order of the request, and records it', async () => {
    const [one, other] = (await scene.scim.users(2)) as [string, string];
    const { userId: admin } = scene.organization;

    const { data, added_count: count } = await add([other, admin, one]);

    expect(count).toBe(3);
    expect(data.map(({ user_id: userId, role }) => [userId, role])).toEqual([
      [other, 'member'],
      [admin, 'admin'],
      [one, 'member'],
    ]);
    for (const member of data) {
      expect(member).toEqual({
        id: expect.stringMatching(UUID_V7) as unknown,
        workspace_id: scene.workspace,
        user_id: member.user_id,
        role: member.role,
        created_at: expect.stringMatching(TIMESTAMP) as unknown,
      });
    }
    expect((await scene.rows()).map(({ id }) => id).sort()).toEqual(data.map(({ id }) => id).sort());
    expect(new Set(await scene.scim.memberships(scene.workspace))).toEqual(
      new Set([byHand(one, 'member'), byHand(other, 'member'), byHand(admin, 'admin')]),
    );
    expect(await scene.events()).toEqual([
      {
        action: 'workspace.add_members',
        target_type: 'workspace',
        target_id: scene.workspace,
        actor_kind: 'management_key',
        actor_id: admin,
        changes: { user_ids: { after: expect.arrayContaining([one, other, admin]) as unknown } },
      },
    ]);
  });

  it('answers the same again, writes nothing and records nothing', async () => {
    const users = await scene.scim.users(2);
    const { data } = await add(users);
    const [rows, events] = [await scene.rows(), await scene.events()];

    expect(await add(users)).toEqual({ data, added_count: 0 });
    expect(await scene.rows()).toEqual(rows);
    expect(await scene.events()).toEqual(events);
  });

  it('adds whoever is not there yet beside those who are, and records these alone', async () => {
    const [old, fresh] = (await scene.scim.users(2)) as [string, string];
    await add([old]);

    const { data, added_count: count } = await add([fresh, old, fresh]);

    expect(count).toBe(1);
    expect(data.map(({ user_id: userId }) => userId)).toEqual([fresh, old]);
    expect((await scene.events()).at(-1)?.changes).toEqual({ user_ids: { after: [fresh] } });
  });

  it('leaves a member as is whose role in the organization is another one by now', async () => {
    const [user] = (await scene.scim.users(1)) as [string];
    await add([user]);
    await app.rows(`UPDATE organization_members SET role = 'admin' WHERE user_id = $1`, [user]);

    expect((await add([user])).data).toMatchObject([{ user_id: user, role: 'member' }]);
    expect(await scene.scim.memberships(scene.workspace)).toEqual([byHand(user, 'member')]);
  });

  it('gives by hand as well what only a mapped group has given, with the higher of the two roles', async () => {
    const [user] = (await scene.scim.users(1)) as [string];
    await scene.scim.map(await scene.scim.group([user]), scene.workspace, 'admin');
    const [before] = await scene.rows();

    const { data, added_count: count } = await add([user]);

    expect(count).toBe(1);
    expect(data).toMatchObject([{ id: before!['id'], user_id: user, role: 'admin' }]);
    expect(await scene.scim.memberships(scene.workspace)).toEqual([
      { user_id: user, role: 'admin', manual_role: 'member', scim_role: 'admin' },
    ]);
    expect((await add([user])).added_count).toBe(0);
  });

  it('adds nobody when somebody is not of the organization, and names each', async () => {
    const [user] = (await scene.scim.users(1)) as [string];
    const foreign = (await app.factory.organization()).userId;

    await scene.expectRefused(
      { user_ids: ['nobody', user, foreign, 'nobody'] },
      { status: 400, reason: 'user_not_found', paths: ['user_ids[0]', 'user_ids[2]', 'user_ids[3]'] },
    );
  });

  it("says of another organization's user what it says of nobody", async () => {
    const foreign = (await app.factory.organization()).userId;
    const refusal = { status: 400, reason: 'user_not_found', paths: ['user_ids[0]'] };

    const [answer, missing] = [
      await scene.expectRefused({ user_ids: [foreign] }, refusal),
      await scene.expectRefused({ user_ids: ['nobody'] }, refusal),
    ];

    const idOf = (text: string): string => text.replace(/"request_id":"[^"]*"/, '');
    expect(idOf(answer.text)).toBe(idOf(missing.text));
  });

  it(`adds ${MOST_USERS} at once`, async () => {
    const users = await scene.scim.users(MOST_USERS);
    expect((await add(users)).added_count).toBe(MOST_USERS);
    expect(await scene.rows()).toHaveLength(MOST_USERS);
  });

  it('finds the workspace by slug, and by id in capitals', async () => {
    const [one, other] = (await scene.scim.users(2)) as [string, string];
    const slug = 'by-slug';
    const id = await app.factory.workspace(scene.organization, slug);

    expect((await add([one], slug)).data).toMatchObject([{ workspace_id: id }]);
    expect((await add([other], id.toUpperCase())).data).toMatchObject([{ workspace_id: id }]);
  });

  it('makes one membership for all who make the same at the same time', async () => {
    const users = await scene.scim.users(3);

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => add(index % 2 === 0 ? users : [...users].reverse())),
    );

    expect(answers.map(({ added_count: count }) => count).sort()).toEqual([...Array<number>(9).fill(0), 3]);
    expect(await scene.rows()).toHaveLength(3);
    expect(await scene.events()).toHaveLength(1);
  });

  describeMemberRequests(() => scene);

  describeWhoMayCall(['management_key'], async () => ({
    app,
    organization: scene.organization,
    operationId: scene.operationId,
    method: 'POST',
    path: scene.path(),
    json: { user_ids: await scene.scim.users(1) },
  }));
});

import { sharedApplication } from '../../support/application/shared-application.js';
import type { BulkAddWorkspaceMembersResponse } from '../../../src/modules/workspaces/members/workspace-member.dto.js';
import { TIMESTAMP, UUID_V7 } from '../../support/expectations/formats.js';
import { describeMemberRequests, MAX_USERS, WorkspaceMembersFixture } from './member-request-tests.js';
import { filledBefore } from '../../support/application/filled-before.js';

describe('bulkAddWorkspaceMembers', () => {
  const app = sharedApplication({ topic: 'suite' });
  const fixture = filledBefore(beforeEach, () => WorkspaceMembersFixture.make(app, 'add'));

  const add = (userIds: readonly string[], workspace?: string): Promise<BulkAddWorkspaceMembersResponse> =>
    fixture.done<BulkAddWorkspaceMembersResponse>(userIds, workspace);

  const byHand = (user_id: string, role: string): object => ({ user_id, role, manual_role: role, scim_role: null });

  it('answers 200 with each user as member with the role in the organization, in the order of the request, and records it', async () => {
    const [one, other] = (await fixture.scim.users(2)) as [string, string];
    const { userId: admin } = fixture.organization;

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
        workspace_id: fixture.workspace,
        user_id: member.user_id,
        role: member.role,
        created_at: expect.stringMatching(TIMESTAMP) as unknown,
      });
    }
    expect((await fixture.rows()).map(({ id }) => id).sort()).toEqual(data.map(({ id }) => id).sort());
    expect(new Set(await fixture.scim.memberships(fixture.workspace))).toEqual(
      new Set([byHand(one, 'member'), byHand(other, 'member'), byHand(admin, 'admin')]),
    );
    expect(await fixture.events()).toEqual([
      {
        action: 'workspace.add_members',
        target_type: 'workspace',
        target_id: fixture.workspace,
        actor_kind: 'management_key',
        actor_id: admin,
        changes: { user_ids: { after: expect.arrayContaining([one, other, admin]) as unknown } },
      },
    ]);
  });

  it('answers 200 with the same body again, and writes and records nothing', async () => {
    const users = await fixture.scim.users(2);
    const { data } = await add(users);
    const [rows, events] = [await fixture.rows(), await fixture.events()];

    expect(await add(users)).toEqual({ data, added_count: 0 });
    expect(await fixture.rows()).toEqual(rows);
    expect(await fixture.events()).toEqual(events);
  });

  it('answers 200, adds the users who are not members yet, and records only these', async () => {
    const [old, fresh] = (await fixture.scim.users(2)) as [string, string];
    await add([old]);

    const { data, added_count: count } = await add([fresh, old, fresh]);

    expect(count).toBe(1);
    expect(data.map(({ user_id: userId }) => userId)).toEqual([fresh, old]);
    expect((await fixture.events()).at(-1)?.changes).toEqual({ user_ids: { after: [fresh] } });
  });

  it('answers 200 and keeps the role of a member whose role in the organization has changed since', async () => {
    const [user] = (await fixture.scim.users(1)) as [string];
    await add([user]);
    await app.rows(`UPDATE organization_members SET role = 'admin' WHERE user_id = $1`, [user]);

    expect((await add([user])).data).toMatchObject([{ user_id: user, role: 'member' }]);
    expect(await fixture.scim.memberships(fixture.workspace)).toEqual([byHand(user, 'member')]);
  });

  it('answers 200 and adds a member of a mapped group by hand as well, with the higher of the two roles', async () => {
    const [user] = (await fixture.scim.users(1)) as [string];
    await fixture.scim.map(await fixture.scim.group([user]), fixture.workspace, 'admin');
    const [before] = await fixture.rows();

    const { data, added_count: count } = await add([user]);

    expect(count).toBe(1);
    expect(data).toMatchObject([{ id: before!['id'], user_id: user, role: 'admin' }]);
    expect(await fixture.scim.memberships(fixture.workspace)).toEqual([
      { user_id: user, role: 'admin', manual_role: 'member', scim_role: 'admin' },
    ]);
    expect((await add([user])).added_count).toBe(0);
  });

  it('answers 400 and adds no member when users are not in the organization, and names each', async () => {
    const [user] = (await fixture.scim.users(1)) as [string];
    const foreign = (await app.factory.organization()).userId;

    await fixture.expectRefused(
      { user_ids: ['nobody', user, foreign, 'nobody'] },
      { status: 400, reason: 'user_not_found', paths: ['user_ids[0]', 'user_ids[2]', 'user_ids[3]'] },
    );
  });

  it("answers 400 for another organization's user, as for a missing one", async () => {
    const foreign = (await app.factory.organization()).userId;
    const refusal = { status: 400, reason: 'user_not_found', paths: ['user_ids[0]'] };

    const [answer, missing] = [
      await fixture.expectRefused({ user_ids: [foreign] }, refusal),
      await fixture.expectRefused({ user_ids: ['nobody'] }, refusal),
    ];

    const idOf = (text: string): string => text.replace(/"request_id":"[^"]*"/, '');
    expect(idOf(answer.text)).toBe(idOf(missing.text));
  });

  it(`answers 200 for ${MAX_USERS} users`, async () => {
    const users = await fixture.scim.users(MAX_USERS);
    expect((await add(users)).added_count).toBe(MAX_USERS);
    expect(await fixture.rows()).toHaveLength(MAX_USERS);
  });

  it('answers 200 for a slug and for an id in capitals', async () => {
    const [one, other] = (await fixture.scim.users(2)) as [string, string];
    const slug = 'by-slug';
    const id = await app.factory.workspace(fixture.organization, slug);

    expect((await add([one], slug)).data).toMatchObject([{ workspace_id: id }]);
    expect((await add([other], id.toUpperCase())).data).toMatchObject([{ workspace_id: id }]);
  });

  it('answers 200 to many requests at the same time, and creates one membership', async () => {
    const users = await fixture.scim.users(3);

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => add(index % 2 === 0 ? users : [...users].reverse())),
    );

    expect(answers.map(({ added_count: count }) => count).sort()).toEqual([...Array<number>(9).fill(0), 3]);
    expect(await fixture.rows()).toHaveLength(3);
    expect(await fixture.events()).toHaveLength(1);
  });

  describeMemberRequests(() => fixture);
});

import { sharedApplication } from '../../support/application/shared-application.js';
import type { BulkRemoveWorkspaceMembersResponse } from '../../../src/modules/workspaces/members/workspace-member.dto.js';
import type { ErrorBody } from '../../support/network/api-client.js';
import { describeMemberRequests, MAX_USERS, WorkspaceMembersFixture } from './member-request-tests.js';
import { filledBefore } from '../../support/application/filled-before.js';

describe('bulkRemoveWorkspaceMembers', () => {
  const app = sharedApplication({ topic: 'suite' });
  const fixture = filledBefore(beforeEach, () => WorkspaceMembersFixture.make(app, 'remove'));

  const remove = async (userIds: readonly string[], workspace?: string): Promise<number> =>
    (await fixture.done<BulkRemoveWorkspaceMembersResponse>(userIds, workspace)).removed_count;

  const present = async (): Promise<string[]> =>
    (await fixture.scim.memberships(fixture.workspace)).map(({ user_id: userId }) => userId);

  /** An active key of a user in the workspace. */
  const giveKey = (userId: string): Promise<unknown> =>
    app.factory.key({ ...fixture.organization, userId }, { workspaceId: fixture.workspace });

  it('answers 200, removes the named users and no others, and records it', async () => {
    const [one, other, kept] = (await fixture.scim.users(3)) as [string, string, string];
    await fixture.join([one, other, kept]);

    expect(await remove([one, other])).toBe(2);

    expect(await present()).toEqual([kept]);
    expect(await fixture.events()).toEqual([
      {
        action: 'workspace.remove_members',
        target_type: 'workspace',
        target_id: fixture.workspace,
        actor_kind: 'management_key',
        actor_id: fixture.organization.userId,
        changes: { user_ids: { before: expect.arrayContaining([one, other]) as unknown } },
      },
    ]);
  });

  it('answers 200 with the number of removed memberships, ignoring users who are not members or are repeated', async () => {
    const [member, stranger] = (await fixture.scim.users(2)) as [string, string];
    const foreign = (await app.factory.organization()).userId;
    await fixture.join([member]);

    expect(await remove([stranger, member, 'nobody', foreign, member])).toBe(1);

    expect((await fixture.events()).at(-1)?.changes).toEqual({ user_ids: { before: [member] } });
  });

  it('answers 200 with 0 the second time, and records nothing', async () => {
    const users = await fixture.scim.users(2);
    await fixture.join(users);
    await remove(users);
    const events = await fixture.events();

    expect(await remove(users)).toBe(0);
    expect(await fixture.events()).toEqual(events);
  });

  it('answers 200 and keeps the members of other workspaces', async () => {
    const users = await fixture.scim.users(2);
    await fixture.join(users);
    const neighbour = await fixture.scim.workspace();
    await app.factory.workspaceMember(fixture.organization.organizationId, neighbour, users[0]!, 'admin');

    await remove(users);

    expect(await fixture.scim.memberships(neighbour)).toMatchObject([{ user_id: users[0], role: 'admin' }]);
  });

  it('answers 400 and removes no member when one of them is a member by a mapped group, also if added by hand too', async () => {
    const [mapped, both, manual] = (await fixture.scim.users(3)) as [string, string, string];
    await fixture.join([both, manual]);
    const { id } = await fixture.scim.map(await fixture.scim.group([mapped, both]), fixture.workspace);

    await fixture.expectRefused(
      { user_ids: [manual, mapped, both] },
      { status: 400, reason: 'member_is_scim_managed', paths: ['user_ids[1]', 'user_ids[2]'] },
    );

    const path = `/scim/group-mappings/${id}?keep_members=false`;
    await app.api.delete(path, { key: fixture.organization.managementKey });
    expect(await remove([manual, mapped, both])).toBe(2);
  });

  it('answers 400 and removes no member when one of them has active keys in the workspace', async () => {
    const [holder, free] = (await fixture.scim.users(2)) as [string, string];
    await fixture.join([holder, free]);
    await giveKey(holder);

    await fixture.expectRefused(
      { user_ids: [free, holder] },
      { status: 400, reason: 'member_has_active_keys', paths: ['user_ids[1]'] },
    );
  });

  it('answers 200 for members with disabled keys, expired keys and keys of other workspaces', async () => {
    const users = (await fixture.scim.users(3)) as [string, string, string];
    await fixture.join(users);
    const key = (userId: string, fields: object): Promise<{ id: string }> =>
      app.factory.key({ ...fixture.organization, userId }, { workspaceId: fixture.workspace, ...fields });
    const { id } = await key(users[0], {});
    await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [id]);
    await key(users[1], { expiresAt: new Date(0) });
    await key(users[2], { workspaceId: await fixture.scim.workspace() });

    expect(await remove(users)).toBe(3);
  });

  it('answers 400 and names every issue of every user', async () => {
    const [mapped, holder, both] = (await fixture.scim.users(3)) as [string, string, string];
    await fixture.join([holder]);
    await fixture.scim.map(await fixture.scim.group([mapped, both]), fixture.workspace);
    await giveKey(holder);
    await giveKey(both);

    const answer = await fixture.expectRefused(
      { user_ids: [both, mapped, holder] },
      {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['user_ids[0]', 'user_ids[0]', 'user_ids[1]', 'user_ids[2]'],
      },
    );

    const { issues } = (answer.body as ErrorBody).error.metadata;
    expect(issues!.map(({ path, message }) => `${path} ${message}`)).toEqual([
      'user_ids[0] is a member through a SCIM group mapping',
      'user_ids[0] has active keys in the workspace',
      'user_ids[1] is a member through a SCIM group mapping',
      'user_ids[2] has active keys in the workspace',
    ]);
  });

  it(`answers 200 for ${MAX_USERS} users, with a slug`, async () => {
    const users = await fixture.scim.users(MAX_USERS);
    await fixture.join(users);
    await app.rows(`UPDATE workspaces SET slug = 'by-slug' WHERE id = $1`, [fixture.workspace]);

    expect(await remove(users, 'by-slug')).toBe(MAX_USERS);
    expect(await present()).toEqual([]);
  });

  it('answers 200 to many requests at the same time, and counts each membership once', async () => {
    const users = await fixture.scim.users(3);
    await fixture.join(users);

    const counts = await Promise.all(
      Array.from({ length: 10 }, (_, index) => remove(index % 2 === 0 ? users : [...users].reverse())),
    );

    expect(counts.sort()).toEqual([...Array<number>(9).fill(0), 3]);
    expect(await fixture.events()).toHaveLength(1);
  });

  describeMemberRequests(() => fixture);
});

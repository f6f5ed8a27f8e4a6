import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { WorkspaceMember } from '../../../src/modules/workspaces/members/workspace-member.dto.js';
import { expectEveryPage, walkPages } from '../../support/expectations/pages.js';
import { workspaceMemberLists } from './workspace-member-lists.js';

describe('listWorkspaceMembers', () => {
  const { app, pathOf, list, usersOf, join } = workspaceMemberLists();

  describe.each(['the default workspace', 'another workspace'])('with pagination for %s', (which) => {
    let organization: NewOrganization;
    let workspaceId: string;
    let users: string[];

    const add = async (): Promise<string> => (await join(organization, workspaceId, 1))[0]!;

    beforeAll(async () => {
      organization = await app.factory.organization();
      const isDefault = which === 'the default workspace';
      workspaceId = isDefault ? organization.workspaceId : await app.factory.workspace(organization);
      users = await join(organization, workspaceId, 60);
      if (isDefault) users.unshift(organization.userId);
    });

    it('answers 200 with 50 members by default, and with 100 at most', async () => {
      const [byDefault, largest, single] = [
        await list(organization, workspaceId),
        await list(organization, workspaceId, '?limit=100'),
        await list(organization, workspaceId, '?limit=1&offset=3'),
      ];

      expect(usersOf(byDefault)).toEqual(users.slice(0, 50));
      expect(usersOf(largest)).toEqual(users);
      expect(usersOf(single)).toEqual(users.slice(3, 4));
      for (const { body } of [byDefault, largest, single]) expect(body.total_count).toBe(users.length);
    });

    it('answers 200 with an empty page beyond the end', async () => {
      for (const offset of [users.length, 2 ** 53, '9'.repeat(30)]) {
        const answer = await list(organization, workspaceId, `?offset=${offset}`);
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual({ data: [], total_count: users.length });
      }
    });

    it('answers 200 with each member once, also while members are being added', async () => {
      const walk = { path: pathOf(workspaceId), key: organization.managementKey, limit: 9 };
      const quiet = await walkPages<WorkspaceMember>(app, walk);
      expect(quiet.flatMap(({ data }) => data.map((member) => member.user_id))).toEqual(users);

      const added: string[] = [];
      const busy = await walkPages<WorkspaceMember>(app, {
        ...walk,
        betweenPages: async () => {
          if (added.length < 5) added.push(await add());
        },
      });

      users.push(...added);
      expect(busy.flatMap(({ data }) => data.map((member) => member.user_id))).toEqual(users);
      expect(busy.map((page) => page.total_count).slice(0, 6)).toEqual(
        [0, 1, 2, 3, 4, 5].map((count) => users.length - 5 + count),
      );
    });
  });

  it('answers 200 in the order of times, whatever the ids are, and in the order of ids for the same time', async () => {
    const organization = await app.factory.organization();
    const workspaceId = await app.factory.workspace(organization);
    const [a, b, c, d] = await join(organization, workspaceId, 4);
    for (const table of ['organization_members', 'workspace_members']) {
      const set = `UPDATE ${table} SET created_at = $2::timestamptz WHERE user_id = $1`;
      await app.rows(set, [organization.userId, '2026-01-03']);
      await app.rows(set, [d, '2026-01-01']);
      // The later row of two with the same time lies first.
      await app.rows(set, [c, '2026-01-02']);
      await app.rows(set, [b, '2026-01-02']);
      await app.rows(set, [a, '2026-01-04']);
    }

    expect(usersOf(await list(organization, workspaceId))).toEqual([d, b, c, a]);
    expect(usersOf(await list(organization, 'default'))).toEqual([d, b, c, organization.userId, a]);
  });

  it.each([4, 5])('answers 200 with the matching slice of a list of %d for every offset and limit', async (count) => {
    const organization = await app.factory.organization();
    const workspaceId = await app.factory.workspace(organization);
    await join(organization, workspaceId, count);

    for (const id of [workspaceId, organization.workspaceId]) {
      const whole = (await list(organization, id, '?limit=100')).body.data;
      await expectEveryPage(app, { path: pathOf(id), key: organization.managementKey }, whole);
    }
  });
});

import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type {
  ListWorkspaceMembersResponse,
  WorkspaceMember,
} from '../../../src/modules/workspaces/members/workspace-member.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectEveryPage, walkPages } from '../../support/expectations/pages.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { TestApplication } from '../../support/application/test-application.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { sharedApplication } from '../../support/application/shared-application.js';

describe('listWorkspaceMembers', () => {
  const app = sharedApplication();

  const pathOf = (workspace: string): string => `/workspaces/${workspace}/members`;

  const list = (
    { managementKey }: NewOrganization,
    workspace: string,
    query = '',
  ): Promise<Answer<ListWorkspaceMembersResponse>> =>
    app.api.get(`${pathOf(workspace)}${query}`, { key: managementKey });

  const usersOf = ({ body }: Answer<ListWorkspaceMembersResponse>): string[] =>
    body.data.map((member) => member.user_id);

  /** Members of the organization that are members of the workspace as well. */
  const join = async (organization: NewOrganization, workspaceId: string, count: number): Promise<string[]> => {
    const userIds: string[] = [];
    while (userIds.length < count) {
      const userId = await app.factory.member(organization.organizationId);
      await app.factory.workspaceMember(organization.organizationId, workspaceId, userId, 'member');
      userIds.push(userId);
    }
    return userIds;
  };

  const expectNotFound = async (organization: NewOrganization, workspace: string): Promise<void> => {
    const answer = await list(organization, workspace);
    expectRefusal(answer, { status: 404, reason: 'workspace_not_found', userId: organization.userId });
    expectToFitContract('listWorkspaceMembers', 404, answer.body);
  };

  describe('for a workspace', () => {
    let organization: NewOrganization;
    let workspaceId: string;

    beforeEach(async () => {
      organization = await app.factory.organization();
      workspaceId = await app.factory.workspace(organization, 'production');
    });

    it('answers 200 with an empty page while it has no members', async () => {
      const answer = await list(organization, workspaceId);

      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ data: [], total_count: 0 });
      expectToFitContract('listWorkspaceMembers', 200, answer.body);
    });

    it('answers 200 with each member as its row stores it, oldest first', async () => {
      const { organizationId, userId } = organization;
      const member = await app.factory.member(organizationId);
      await app.factory.workspaceMember(organizationId, workspaceId, member, 'member');
      await app.factory.workspaceMember(organizationId, workspaceId, userId, 'admin');

      const answer = await list(organization, workspaceId);

      const common = {
        id: expect.stringMatching(UUID_V7) as string,
        workspace_id: workspaceId,
        created_at: expect.stringMatching(TIMESTAMP) as string,
      };
      expect(answer.body).toEqual({
        data: [
          { ...common, user_id: member, role: 'member' },
          { ...common, user_id: userId, role: 'admin' },
        ],
        total_count: 2,
      });
      expectToFitContract('listWorkspaceMembers', 200, answer.body);
      const rows = await app.rows<{ created_at: Date }>(
        `SELECT id, workspace_id, user_id, role, created_at FROM workspace_members WHERE workspace_id = $1 ORDER BY created_at, id`,
        [workspaceId],
      );
      expect(answer.body.data).toEqual(rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })));
    });

    it('answers 200 with roles of its own: an administrator of the organization may be a member, and the other way round', async () => {
      const { organizationId, userId } = organization;
      const member = await app.factory.member(organizationId);
      await app.factory.workspaceMember(organizationId, workspaceId, userId, 'member');
      await app.factory.workspaceMember(organizationId, workspaceId, member, 'admin');

      const { data } = (await list(organization, workspaceId)).body;

      expect(data.map(({ user_id, role }) => [user_id, role])).toEqual([
        [userId, 'member'],
        [member, 'admin'],
      ]);
    });

    it('answers 200 with the same body for UUID, UUID in capitals and slug', async () => {
      await join(organization, workspaceId, 2);

      const [byId, inCapitals, bySlug] = [
        await list(organization, workspaceId),
        await list(organization, workspaceId.toUpperCase()),
        await list(organization, 'production'),
      ];

      expect(byId.body.total_count).toBe(2);
      expect(inCapitals.text).toBe(byId.text);
      expect(bySlug.text).toBe(byId.text);
    });

    it("answers 200 without another workspace's members and without other users of the organization", async () => {
      const other = await app.factory.workspace(organization);
      const [ours] = [await join(organization, workspaceId, 1), await join(organization, other, 2)];
      await app.factory.member(organization.organizationId);

      expect(usersOf(await list(organization, workspaceId))).toEqual(ours);
    });

    it('answers 200 without users who left the organization', async () => {
      const [leaver, stayer] = await join(organization, workspaceId, 2);
      await app.rows('DELETE FROM organization_members WHERE user_id = $1', [leaver]);

      const answer = await list(organization, workspaceId);

      expect(usersOf(answer)).toEqual([stayer]);
      expect(answer.body.total_count).toBe(1);
    });

    it('answers 200 for a slug that other organizations have as well', async () => {
      const other = await app.factory.organization();
      const otherId = await app.factory.workspace(other, 'production');
      const [ours, theirs] = [await join(organization, workspaceId, 1), await join(other, otherId, 2)];

      expect(usersOf(await list(organization, 'production'))).toEqual(ours);
      expect(usersOf(await list(other, 'production'))).toEqual(theirs);
    });
  });

  describe('for a slug in the form of a UUID', () => {
    it.each([UNKNOWN_UUID, UNKNOWN_UUID.toUpperCase(), '00000000-0000-0000-0000-000000000000'])(
      'answers 404: %s',
      async (slug) => {
        const organization = await app.factory.organization();
        const workspaceId = await app.factory.workspace(organization, slug);
        await join(organization, workspaceId, 1);

        await expectNotFound(organization, slug);
        expect((await list(organization, workspaceId)).body.total_count).toBe(1);
      },
    );

    it('answers 200 with the workspace of that id', async () => {
      const organization = await app.factory.organization();
      const meant = await app.factory.workspace(organization);
      const confusing = await app.factory.workspace(organization, meant);
      const [members] = [await join(organization, meant, 1), await join(organization, confusing, 2)];

      expect(usersOf(await list(organization, meant))).toEqual(members);
    });

    it.each([
      '019aa3f0-5b1e-7c40-9d0e-00000000000',
      '019aa3f05b1e7c409d0e000000000000',
      '019aa3f0-5b1e-7c40-9d0e-00000000000g',
    ])('answers 200 when it is not quite a UUID: %s', async (slug) => {
      const organization = await app.factory.organization();
      await app.factory.workspace(organization, slug);

      expect((await list(organization, slug)).status).toBe(200);
    });
  });

  describe('for the default workspace', () => {
    let organization: NewOrganization;

    beforeEach(async () => {
      organization = await app.factory.organization();
    });

    it('answers 200 with every member of the organization, oldest first', async () => {
      const members = [
        await app.factory.member(organization.organizationId),
        await app.factory.member(organization.organizationId),
      ];

      const answer = await list(organization, organization.workspaceId);

      expect(usersOf(answer)).toEqual([organization.userId, ...members]);
      expect(answer.body.total_count).toBe(3);
      expect(answer.body.data).toEqual(
        answer.body.data.map(({ user_id, role }) => ({
          id: expect.stringMatching(UUID_V7) as string,
          workspace_id: organization.workspaceId,
          user_id,
          role,
          created_at: expect.stringMatching(TIMESTAMP) as string,
        })),
      );
      expectToFitContract('listWorkspaceMembers', 200, answer.body);
    });

    it("answers 200 with the role admin for the organization's administrators only", async () => {
      const { organizationId, userId } = organization;
      const member = await app.factory.member(organizationId, 'member');
      const admin = await app.factory.member(organizationId, 'admin');

      const { data } = (await list(organization, 'default')).body;

      expect(data.map((item) => [item.user_id, item.role])).toEqual([
        [userId, 'admin'],
        [member, 'member'],
        [admin, 'admin'],
      ]);
      await app.rows(`UPDATE organization_members SET role = 'admin' WHERE user_id = $1`, [member]);
      expect((await list(organization, 'default')).body.data[1]).toEqual({ ...data[1], role: 'admin' });
    });

    it('answers 200 with the same ids on every call, on every replica and to every caller', async () => {
      await app.factory.member(organization.organizationId);
      const replica = await TestApplication.start({ database: app.database });
      const { plaintext } = await app.factory.key(organization, { kind: 'management_key' });
      const first = await list(organization, organization.workspaceId);

      const again = [
        await list(organization, organization.workspaceId.toUpperCase()),
        await list(organization, 'default'),
        await replica.api.get(pathOf('default'), { key: organization.managementKey }),
        await app.api.get(pathOf('default'), { key: plaintext }),
      ];

      await replica.stop();
      for (const answer of again) expect(answer.text).toBe(first.text);
      expect(new Set(first.body.data.map(({ id }) => id)).size).toBe(2);
    });

    it('answers 200 with the same id of a member while others come and go', async () => {
      const { organizationId } = organization;
      const [leaver, stayer] = [await app.factory.member(organizationId), await app.factory.member(organizationId)];
      const before = (await list(organization, 'default')).body.data.find(({ user_id }) => user_id === stayer);
      await app.rows('DELETE FROM organization_members WHERE user_id = $1', [leaver]);
      await app.factory.member(organizationId);

      const after = (await list(organization, 'default')).body;

      expect(after.total_count).toBe(3);
      expect(after.data.find(({ user_id }) => user_id === stayer)).toEqual(before);
      expect(after.data.map(({ user_id }) => user_id)).not.toContain(leaver);
    });

    it('answers 200 without regard to rows of the workspace itself', async () => {
      const { organizationId, workspaceId, userId } = organization;
      const before = await list(organization, 'default');
      await app.factory.workspaceMember(organizationId, workspaceId, userId, 'member');

      expect((await list(organization, 'default')).text).toBe(before.text);
    });

    it('answers 200 without members of another organization', async () => {
      const other = await app.factory.organization();
      await app.factory.member(other.organizationId);

      expect(usersOf(await list(organization, 'default'))).toEqual([organization.userId]);
    });

    it('answers 200 for any slug that it has', async () => {
      await app.rows(`UPDATE workspaces SET slug = 'main' WHERE id = $1`, [organization.workspaceId]);

      expect((await list(organization, 'main')).body.total_count).toBe(1);
      await expectNotFound(organization, 'default');
    });

    it('answers 404 once it is deleted', async () => {
      await app.rows('DELETE FROM workspaces WHERE id = $1', [organization.workspaceId]);

      await expectNotFound(organization, organization.workspaceId);
      await expectNotFound(organization, 'default');
    });
  });

  it.each([
    ['an unknown UUID', UNKNOWN_UUID],
    ['an unknown slug', 'nowhere'],
    ['a slug in another case', 'Default'],
    ['a slug with a space behind it', 'default%20'],
    ['a text that means something elsewhere', "'%20OR%20true--"],
    ['a wildcard', '%25'],
    ['a slash', 'default%2Fmembers'],
    ['a very long text', 'x'.repeat(5000)],
  ])('answers 404 for %s', async (_, workspace) => {
    await expectNotFound(await app.factory.organization(), workspace);
  });

  it("answers 404 with the same body for another organization's workspace, by id or by slug, and for a missing one", async () => {
    const [organization, other] = [await app.factory.organization(), await app.factory.organization()];
    const foreign = await app.factory.workspace(other, 'secret-project');
    const options = { key: organization.managementKey, headers: { 'x-request-id': 'same' } };

    const answers = await Promise.all(
      [UNKNOWN_UUID, foreign, other.workspaceId, 'nowhere', 'secret-project'].map((id) =>
        app.api.get(pathOf(id), options),
      ),
    );

    await expectNotFound(organization, foreign);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

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

  describe('for a faulty request', () => {
    let organization: NewOrganization;

    beforeAll(async () => {
      organization = await app.factory.organization();
    });

    const invalid = (paths: readonly string[], reason = 'invalid_parameters'): Refusal => ({
      status: 400,
      reason,
      paths,
    });

    it.each(INVALID_PAGE_QUERIES)('answers 400 for ?%s', async (query, paths) => {
      const answer = await list(organization, 'default', `?${query}`);
      expectRefusal(answer, { ...invalid(paths), userId: organization.userId });
    });

    it('answers 400 ahead of 404 for a missing workspace', async () => {
      const answer = await list(organization, UNKNOWN_UUID, '?limit=0');
      expectRefusal(answer, { ...invalid(['limit']), userId: organization.userId });
    });

    it('answers 400 for NUL in the path', async () => {
      const answer = await list(organization, 'default%00');
      expectRefusal(answer, { ...invalid(['id']), userId: organization.userId });
    });

    it.each(['%ff', '%ed%a0%80', '%', '%zz'])(
      'answers 400 for a path that is not percent-encoded UTF-8: %s',
      async (id) => {
        const answer = await list(organization, id);
        expectRefusal(answer, { ...invalid(['id'], 'malformed_url'), userId: organization.userId });
      },
    );

    it('answers 404 for an empty id', async () => {
      const answer = await list(organization, '');
      expect(answer.status).toBe(404);
    });
  });
});

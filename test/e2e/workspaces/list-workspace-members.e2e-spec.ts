import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { SOME_INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { workspaceMemberLists } from './workspace-member-lists.js';

describe('listWorkspaceMembers', () => {
  const { app, pathOf, list, usersOf, join, expectNotFound } = workspaceMemberLists();

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

    it.each(SOME_INVALID_PAGE_QUERIES)('answers 400 for ?%s', async (query, paths) => {
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

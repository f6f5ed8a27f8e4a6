import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { TestApplication } from '../../support/application/test-application.js';
import { TIMESTAMP, UUID_V7 } from '../../support/expectations/formats.js';
import { workspaceMemberLists } from './workspace-member-lists.js';

describe('listWorkspaceMembers', () => {
  const { app, pathOf, list, usersOf, expectNotFound } = workspaceMemberLists();

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
});

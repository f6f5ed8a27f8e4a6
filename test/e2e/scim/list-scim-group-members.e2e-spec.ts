import { sharedApplication } from '../../support/application/shared-application.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { expectEveryPage } from '../../support/expectations/pages.js';
import type { Answer } from '../../support/network/api-client.js';
import { MemberStates } from '../../support/resources/members.js';
import { ScimFixture } from '../../support/resources/scim.js';
import type { ListScimGroupMembersResponse } from '../../../src/modules/scim/dto/scim.dto.js';

describe('listScimGroupMembers', () => {
  const app = sharedApplication({ topic: 'suite' });

  const list = ({ organization }: ScimFixture, id: string): Promise<Answer<ListScimGroupMembersResponse>> =>
    app.api.get(`/scim/groups/${id}/members`, { key: organization.managementKey });

  it('answers 200 with who is in the group, deactivated members too, and every page of it', async () => {
    const fixture = await ScimFixture.make(app);
    const { organization } = fixture;
    const { organizationId } = organization;
    const [group, other] = [await fixture.group(), await fixture.group()];
    const members = [await app.factory.member(organizationId), await app.factory.member(organizationId)];
    await app.factory.scimMembers(organization, group, members);
    await app.factory.scimMembers(organization, other, [organization.userId]);
    await new MemberStates(app, () => organizationId).deactivate([members[1]!]);

    const { status, body } = await list(fixture, group);

    expect([status, body.total_count]).toEqual([200, 2]);
    expect(body.data.map(({ user_id: id, status: state }) => [id, state]).sort()).toEqual(
      [
        [members[0], 'active'],
        [members[1], 'deactivated'],
      ].sort(),
    );
    const [single] = (await list(fixture, other)).body.data;
    const { body: member } = await app.api.get<{ data: { email: string } }>(
      `/organization/members/${organization.userId}`,
      { key: organization.managementKey },
    );
    expect(single).toMatchObject({ user_id: organization.userId, email: member.data.email });
    const path = `/scim/groups/${group}/members`;
    await expectEveryPage(app, { path, key: organization.managementKey }, body.data);
  });

  it('answers 404 for a group that does not exist, and without SCIM for every group', async () => {
    const fixture = await ScimFixture.make(app);
    const { organizationId, userId } = fixture.organization;
    const group = await fixture.group();

    for (const id of [UNKNOWN_UUID, 'nowhere']) {
      expectRefusal(await list(fixture, id), { status: 404, reason: 'scim_group_not_found', userId });
    }
    await app.rows('UPDATE organizations SET scim_enabled = false WHERE id = $1', [organizationId]);
    expectRefusal(await list(fixture, group), { status: 404, reason: 'scim_not_enabled', userId });
  });
});

import type { IssuedKeyResponse, KeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import type { ListOrganizationMembersResponse } from '../../../src/modules/organizations/dto/organization-member.dto.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { expectEveryPage } from '../../support/expectations/pages.js';
import { newCode } from '../../support/resources/authorization-codes.js';
import { newKey } from '../../support/resources/keys.js';
import { MemberStates } from '../../support/resources/members.js';

describe('a member who is deactivated', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);
  const states = new MemberStates(app, () => organization.organizationId);

  const memberWithKey = async (): Promise<{ user: string; issued: IssuedKeyResponse; management: string }> => {
    const user = await app.factory.member(organization.organizationId, 'admin');
    const issued = await newKey(app, organization.managementKey, { creator_user_id: user });
    const key = await app.factory.key({ ...organization, userId: user }, { kind: 'management_key' });
    return { user, issued, management: key.plaintext };
  };

  const statusOf = async (key: string): Promise<[number, unknown]> => {
    const answer = await app.api.get<{ error?: { metadata: { reason: string } } }>('/key', { key });
    return [answer.status, answer.body.error?.metadata.reason];
  };

  const ACCEPTED = [200, undefined];
  const REFUSED = [401, 'member_deactivated'];

  const keepApiKeys = (setting: string): Promise<unknown> =>
    app.rows('UPDATE organizations SET keys_of_deactivated_members = $2 WHERE id = $1', [
      organization.organizationId,
      setting,
    ]);

  it('has no key accepted (401) until the reactivation, whichever other member has any', async () => {
    const [one, other] = [await memberWithKey(), await memberWithKey()];

    expect(await states.deactivate([one.user])).toEqual([one.user]);
    for (const key of [one.issued.key, one.management]) expect(await statusOf(key)).toEqual(REFUSED);
    for (const key of [other.issued.key, other.management]) expect(await statusOf(key)).toEqual(ACCEPTED);
    const chat = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hi' }] };
    const answer = await app.api.post('/chat/completions', { key: one.issued.key, json: chat });
    expect([answer.status, answer.body]).toMatchObject([
      401,
      { error: { metadata: { reason: 'member_deactivated' } } },
    ]);
    const shown = await app.api.get<KeyResponse>(`/keys/${one.issued.data.hash}`, { key: organization.managementKey });
    expect(shown.body.data).toMatchObject({ disabled: false, suspension_causes: ['member_deactivated'] });
    expectToFitContract('getKey', 200, shown.body);

    expect(await states.deactivate([one.user])).toEqual([]);
    expect(await states.reactivate([one.user])).toEqual([one.user]);
    for (const key of [one.issued.key, one.management]) expect(await statusOf(key)).toEqual(ACCEPTED);
    expect(await states.reactivate([one.user])).toEqual([]);

    expect((await auditEventsOf(app, one.user)).map(({ action, changes }) => [action, changes])).toEqual([
      [
        'member.deactivate',
        { status: { before: 'active', after: 'deactivated' }, deactivated_by: { after: 'administrator' } },
      ],
      [
        'member.reactivate',
        { status: { before: 'deactivated', after: 'active' }, deactivated_by: { before: 'administrator' } },
      ],
    ]);
    const [none, cause] = [[], ['member_deactivated']];
    expect((await auditEventsOf(app, one.issued.data.hash)).slice(1)).toMatchObject([
      { action: 'key.suspend', changes: { suspension_causes: { before: none, after: cause } } },
      { action: 'key.reinstate', changes: { suspension_causes: { before: cause, after: none } } },
    ]);
  });

  it('keeps keys for inference in force (200) where the organization says so, but no management key (401)', async () => {
    await keepApiKeys('keep_api_keys');
    const { user, issued, management } = await memberWithKey();

    await states.deactivate([user]);

    expect(await statusOf(issued.key)).toEqual(ACCEPTED);
    expect(await statusOf(management)).toEqual(REFUSED);
  });

  it('keeps keys that an administrator has disabled as they are (401)', async () => {
    const { user, issued } = await memberWithKey();
    const path = `/keys/${issued.data.hash}`;
    await app.api.patch(path, { key: organization.managementKey, json: { disabled: true } });

    await states.deactivate([user]);
    await states.reactivate([user]);

    expect(await statusOf(issued.key)).toEqual([401, 'credential_disabled']);
  });

  it('has their keys disabled for good (401) when they end, with what these have spent', async () => {
    await keepApiKeys('keep_api_keys');
    const { user, issued, management } = await memberWithKey();

    expect(await states.end([user])).toEqual([user]);

    for (const key of [issued.key, management]) expect((await statusOf(key))[0]).toBe(401);
    const path = `/keys/${issued.data.hash}`;
    const enabled = await app.api.patch<KeyResponse>(path, {
      key: organization.managementKey,
      json: { disabled: false },
    });
    expect(enabled.body.data).toMatchObject({ disabled: false, suspension_causes: ['member_deactivated'] });
    expect(await statusOf(issued.key)).toEqual(REFUSED);
    expect(await states.reactivate([user])).toEqual([]);
    expect(await states.end([user])).toEqual([]);
    const events = await auditEventsOf(app, issued.data.hash);
    expect(events.find(({ action }) => action === 'key.disable')?.changes).toEqual({
      disabled: { before: false, after: true },
      suspension_causes: { before: [], after: ['member_deactivated'] },
    });
  });

  it('is no one to make a key or a code for (400), nor one to add to a workspace (400)', async () => {
    const user = await app.factory.member(organization.organizationId);
    const workspace = await app.factory.workspace(organization);
    await states.deactivate([user]);
    const { managementKey: key, userId } = organization;

    for (const [path, json, field] of [
      ['/keys', { name: 'K', creator_user_id: user }, 'creator_user_id'],
      ['/auth/keys/code', { callback_url: 'https://app.example.com/', user_id: user }, 'user_id'],
      [`/workspaces/${workspace}/members/add`, { user_ids: [user] }, 'user_ids[0]'],
    ] as const) {
      expectRefusal(await app.api.post(path, { key, json }), {
        status: 400,
        reason: 'user_not_found',
        paths: [field],
        userId,
      });
    }
  });

  it('loses codes that no key was made for yet (403)', async () => {
    const user = await app.factory.member(organization.organizationId);
    const code = await newCode(app, organization.managementKey, { user_id: user });

    await states.deactivate([user]);
    await states.reactivate([user]);

    const answer = await app.api.post('/auth/keys', { key: organization.managementKey, json: { code } });
    expect([answer.status, answer.body]).toMatchObject([
      403,
      { error: { metadata: { reason: 'invalid_authorization_code' } } },
    ]);
  });

  it('is in no list of members (200) but one that includes them', async () => {
    const { organizationId, managementKey: key, workspaceId } = organization;
    const [gone, here] = [await app.factory.member(organizationId), await app.factory.member(organizationId)];
    const workspace = await app.factory.workspace(organization);
    for (const user of [gone, here]) await app.factory.workspaceMember(organizationId, workspace, user, 'member');
    await states.deactivate([gone]);
    const usersIn = async (path: string): Promise<unknown[]> => {
      const { body } = await app.api.get<{ data: { user_id?: string; id: string }[]; total_count: number }>(path, {
        key,
      });
      expect(body.total_count).toBe(body.data.length);
      return body.data.map(({ user_id: user, id }) => user ?? id);
    };

    expect(await usersIn('/organization/members')).toEqual([organization.userId, here]);
    expect(await usersIn('/organization/members?include_deactivated=false')).toEqual([organization.userId, here]);
    expect(await usersIn(`/workspaces/${workspace}/members`)).toEqual([here]);
    expect(await usersIn(`/workspaces/${workspaceId}/members`)).toEqual([organization.userId, here]);
    const all = await app.api.get<ListOrganizationMembersResponse>('/organization/members?include_deactivated=true', {
      key,
    });
    expect(all.body.data.map(({ id, status }) => [id, status])).toEqual([
      [organization.userId, 'active'],
      [gone, 'deactivated'],
      [here, 'active'],
    ]);
    expectToFitContract('listOrganizationMembers', 200, all.body);
    await expectEveryPage(app, { path: '/organization/members', key }, [all.body.data[0], all.body.data[2]]);

    await states.reactivate([gone]);
    expect(await usersIn(`/workspaces/${workspace}/members`)).toEqual([gone, here]);
  });

  it('stays so for a directory if an administrator did it, and a service for good', async () => {
    const { organizationId } = organization;
    const [user, other] = [await app.factory.member(organizationId), await app.factory.member(organizationId)];
    const service = { name: 'Build', email: 'build@example.com', role: 'member', kind: 'service' } as const;
    const [build] = (await states.add([service])) as [string];

    expect(await states.deactivate([user, build, other], 'directory')).toEqual(expect.arrayContaining([user, other]));
    expect(await states.deactivate([user])).toEqual([user]);
    expect(await states.reactivate([user, other], 'directory')).toEqual([other]);
    expect(await states.end([build], 'directory')).toEqual([]);
    expect(await states.deactivate([build])).toEqual([build]);
    expect(await states.reactivate([user, build])).toHaveLength(2);
  });

  it('of another organization stays untouched, and their keys accepted (200)', async () => {
    const other = await app.factory.organization();

    expect(await states.deactivate([other.userId])).toEqual([]);
    expect(await states.end([other.userId])).toEqual([]);
    expect(await states.changeRole([other.userId], 'member')).toEqual([]);
    expect(await statusOf(other.managementKey)).toEqual(ACCEPTED);
  });

  it('is recorded if there is no active administrator left, whose keys are refused (401)', async () => {
    const { organizationId, userId } = organization;
    const other = await app.factory.member(organizationId, 'admin');
    const losses = async (): Promise<unknown[]> =>
      (await auditEventsOf(app, organizationId)).filter(({ action }) => action === 'organization.lose_administrators');

    await states.deactivate([userId]);
    expect(await losses()).toEqual([]);
    await states.deactivate([other]);

    expect(await losses()).toMatchObject([{ changes: { administrators: { before: [other] } } }]);
    expect(await statusOf(organization.managementKey)).toEqual(REFUSED);
  });
});

import { sharedApplication } from '../../support/application/shared-application.js';
import type { IssuedKeyResponse, KeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { ScimGroupsService } from '../../../src/modules/scim/scim-groups.service.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { newKey } from '../../support/resources/keys.js';
import { ScimFixture } from '../../support/resources/scim.js';

describe('a key whose owner is taken out of its workspace', () => {
  const app = sharedApplication({ topic: 'suite' });
  const fixture = filledBefore(beforeAll, () => ScimFixture.make(app));

  /** A user in a workspace through a group, with a key there. */
  const withKey = async () => {
    const [user] = (await fixture.users(1)) as [string];
    const workspace = await fixture.workspace();
    const group = await fixture.group([user]);
    const { id: mapping } = await fixture.map(group, workspace);
    return { user, workspace, group, mapping, issued: await keyOf(user, workspace) };
  };

  const keyOf = (user: string, workspace?: string): Promise<IssuedKeyResponse> =>
    newKey(app, fixture.organization.managementKey, { creator_user_id: user, workspace_id: workspace });

  const leave = (group: string, user: string): Promise<number> =>
    app.application
      .get(ScimGroupsService)
      .removeMembers(COMMAND_LINE, fixture.organization.organizationId, group, [user]);

  const join = (group: string, user: string): Promise<number> =>
    app.application.get(ScimGroupsService).addMembers(COMMAND_LINE, fixture.organization.organizationId, group, [user]);

  const expectSuspended = async (issued: IssuedKeyResponse, causes = ['workspace_membership']): Promise<void> => {
    for (const path of ['/key', '/generation?id=gen-1']) {
      expectRefusal(await app.api.get(path, { key: issued.key }), { status: 401, reason: 'credential_suspended' });
    }
    const shown = await app.api.get<KeyResponse>(`/keys/${issued.data.hash}`, {
      key: fixture.organization.managementKey,
    });
    expect(shown.body.data).toMatchObject({ disabled: issued.data.disabled, suspension_causes: causes });
    expectToFitContract('getKey', 200, shown.body);
  };

  const expectAccepted = async ({ key }: IssuedKeyResponse): Promise<void> => {
    expect((await app.api.get('/key', { key })).status).toBe(200);
  };

  const removeByHand = (workspace: string, user: string, fields: object = {}) =>
    app.api.post<{ removed_count: number }>(`/workspaces/${workspace}/members/remove`, {
      key: fixture.organization.managementKey,
      json: { user_ids: [user], ...fields },
    });

  it('answers 401 from the removal on and 200 when the user is back, both recorded', async () => {
    const { user, group, issued } = await withKey();
    expect(issued.data.suspension_causes).toEqual([]);
    await expectAccepted(issued);

    await leave(group, user);
    await expectSuspended(issued);
    await leave(group, user);
    await join(group, user);
    await expectAccepted(issued);

    const [none, cause] = [[], ['workspace_membership']];
    expect((await auditEventsOf(app, issued.data.hash)).slice(1)).toMatchObject([
      {
        action: 'key.suspend',
        actor_kind: 'command_line',
        changes: { suspension_causes: { before: none, after: cause } },
      },
      { action: 'key.reinstate', changes: { suspension_causes: { before: cause, after: none } } },
    ]);
  });

  it('answers 401 with its reason for a chat', async () => {
    const { user, group, issued } = await withKey();
    await leave(group, user);
    const answer = await app.api.post('/chat/completions', {
      key: issued.key,
      json: { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hi' }] },
    });
    expect([answer.status, answer.body]).toMatchObject([
      401,
      { error: { metadata: { reason: 'credential_suspended' } } },
    ]);
  });

  it('answers 200 as long as another group gives the same workspace, also if both are left at once', async () => {
    const { user, workspace, group, issued } = await withKey();
    const other = await fixture.group([user]);
    await fixture.map(other, workspace);
    await leave(group, user);
    await expectAccepted(issued);
    await join(group, user);

    await Promise.all([leave(group, user), leave(other, user)]);
    await expectSuspended(issued);
    await Promise.all([join(group, user), join(other, user)]);
    await expectAccepted(issued);
  });

  it('answers 401 after the deletion of the mapping, and 200 after a new one', async () => {
    const { workspace, group, mapping, issued } = await withKey();
    const deleted = await app.api.delete(`/scim/group-mappings/${mapping}?keep_members=false`, {
      key: fixture.organization.managementKey,
    });
    expect(deleted.status).toBe(200);
    await expectSuspended(issued);
    await fixture.map(group, workspace);
    await expectAccepted(issued);
  });

  it('answers 200 after the deletion of a mapping that keeps its members', async () => {
    const { mapping, issued } = await withKey();
    await app.api.delete(`/scim/group-mappings/${mapping}?keep_members=true`, {
      key: fixture.organization.managementKey,
    });
    await expectAccepted(issued);
  });

  it('answers 401 after the deletion of the group, and 200 once the user is added by hand', async () => {
    const { user, workspace, group, issued } = await withKey();
    const { organizationId, managementKey } = fixture.organization;
    await app.application.get(ScimGroupsService).remove(COMMAND_LINE, organizationId, group);
    await expectSuspended(issued);
    const added = await app.api.post(`/workspaces/${workspace}/members/add`, {
      key: managementKey,
      json: { user_ids: [user] },
    });
    expect(added.status).toBe(200);
    await expectAccepted(issued);
  });

  it('answers 200 in other workspaces, in the default one, and for keys of others', async () => {
    const { user, workspace, group, issued } = await withKey();
    const elsewhere = await keyOf(user, await fixture.workspace());
    const inDefault = await keyOf(user);
    const [other] = (await fixture.users(1)) as [string];
    const ofOther = await keyOf(other, workspace);
    await leave(group, user);
    await expectSuspended(issued);
    for (const key of [elsewhere, inDefault, ofOther]) await expectAccepted(key);
  });

  it('answers 200 in the default workspace, whose mapping gives a role and no membership', async () => {
    const [user] = (await fixture.users(1)) as [string];
    const group = await fixture.group([user]);
    await fixture.map(group, fixture.organization.workspaceId);
    const issued = await keyOf(user);
    await leave(group, user);
    await expectAccepted(issued);
  });

  it('stays disabled or not and answers 401 accordingly, whatever its owner does', async () => {
    const { user, group, issued } = await withKey();
    const { managementKey: key } = fixture.organization;
    await app.api.patch(`/keys/${issued.data.hash}`, { key, json: { disabled: true } });
    await leave(group, user);
    await join(group, user);
    expectRefusal(await app.api.get('/key', { key: issued.key }), { status: 401, reason: 'credential_disabled' });

    await leave(group, user);
    await app.api.patch(`/keys/${issued.data.hash}`, { key, json: { disabled: false } });
    await expectSuspended(issued);
  });

  it('keeps other causes, and answers 401 until the last one ends', async () => {
    const { user, group, issued } = await withKey();
    const id = 'encode(hash, $1) = $2';
    await app.rows(`UPDATE api_keys SET suspension_causes = '{other}' WHERE ${id}`, ['hex', issued.data.hash]);
    await leave(group, user);
    await join(group, user);
    expectRefusal(await app.api.get('/key', { key: issued.key }), { status: 401, reason: 'credential_suspended' });
    expect(await app.rows(`SELECT suspension_causes FROM api_keys WHERE ${id}`, ['hex', issued.data.hash])).toEqual([
      { suspension_causes: ['other'] },
    ]);
  });

  it('is a 400 for a removal by hand, and answers 401 after one that suspends keys', async () => {
    const [user] = (await fixture.users(1)) as [string];
    const workspace = await fixture.workspace();
    await app.factory.workspaceMember(fixture.organization.organizationId, workspace, user, 'member');
    const issued = await keyOf(user, workspace);
    for (const fields of [{}, { suspend_keys: false }]) {
      expectRefusal(await removeByHand(workspace, user, fields), {
        status: 400,
        reason: 'member_has_active_keys',
        paths: ['user_ids[0]'],
        userId: fixture.organization.userId,
      });
    }
    await expectAccepted(issued);

    const removed = await removeByHand(workspace, user, { suspend_keys: true });
    expect([removed.status, removed.body]).toEqual([200, { removed_count: 1 }]);
    expectToFitContract('bulkRemoveWorkspaceMembers', 200, removed.body);
    await expectSuspended(issued);
    expect((await removeByHand(workspace, user, { suspend_keys: true })).body).toEqual({ removed_count: 0 });
  });
});

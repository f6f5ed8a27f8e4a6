import { sharedApplication } from '../../support/application/shared-application.js';
import type { DeleteScimGroupMappingResponse } from '../../../src/modules/scim/dto/scim.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { ScimFixture } from '../../support/resources/scim.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { filledBefore } from '../../support/application/filled-before.js';

describe('deleteScimGroupMapping', () => {
  const app = sharedApplication({ topic: 'suite' });
  const fixture = filledBefore(beforeAll, () => ScimFixture.make(app));

  const remove = (
    id: string,
    query: string,
    { organization } = fixture,
  ): Promise<Answer<DeleteScimGroupMappingResponse>> =>
    app.api.delete(`/scim/group-mappings/${id}${query}`, { key: organization.managementKey });

  const rows = async (): Promise<unknown[]> => [
    ...(await app.rows('SELECT * FROM scim_group_mappings ORDER BY id')),
    ...(await app.rows('SELECT * FROM workspace_members ORDER BY id')),
  ];

  const expectRefused = async (id: string, query: string, refusal: Refusal, by = fixture): Promise<void> => {
    const before = await rows();
    const answer = await remove(id, query, by);
    expectRefusal(answer, { userId: by.organization.userId, ...refusal });
    expectToFitContract('deleteScimGroupMapping', answer.status, answer.body);
    expect(await rows()).toEqual(before);
  };

  /** A workspace with one member by the mapping alone, one by another mapping too, and one by hand too. */
  const mixed = async (): Promise<{ id: string; workspace: string; users: [string, string, string] }> => {
    const users = (await fixture.users(3)) as [string, string, string];
    const workspace = await fixture.workspace();
    await fixture.map(await fixture.group([users[1]]), workspace, 'member');
    await app.factory.workspaceMember(fixture.organization.organizationId, workspace, users[2], 'member');
    const { id } = await fixture.map(await fixture.group(users), workspace, 'admin');
    expect((await fixture.memberships(workspace)).map(({ role }) => role)).toEqual(['admin', 'admin', 'admin']);
    return { id, workspace, users };
  };

  it('answers 200, removes the members that only the mapping has made, and records it', async () => {
    const { id, workspace, users } = await mixed();

    const answer = await remove(id, '?keep_members=false');

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ deleted: true });
    expectToFitContract('deleteScimGroupMapping', 200, answer.body);
    expect(await app.rows('SELECT id FROM scim_group_mappings WHERE id = $1', [id])).toEqual([]);
    expect(new Set(await fixture.memberships(workspace))).toEqual(
      new Set([
        { user_id: users[1], role: 'member', manual_role: null, scim_role: 'member' },
        { user_id: users[2], role: 'member', manual_role: 'member', scim_role: null },
      ]),
    );
    expect((await auditEventsOf(app, id)).at(-1)).toEqual({
      action: 'scim_group_mapping.delete',
      target_type: 'scim_group_mapping',
      target_id: id,
      actor_kind: 'management_key',
      actor_id: fixture.organization.userId,
      changes: { keep_members: { after: false } },
    });
  });

  it('answers 200 and keeps the members with keep_members, as if they had been added by hand', async () => {
    const { id, workspace, users } = await mixed();
    const ids = await app.rows('SELECT id, user_id, created_at FROM workspace_members ORDER BY id');

    const answer = await remove(id, '?keep_members=true');

    expect(answer.body).toEqual({ deleted: true });
    expect(new Set(await fixture.memberships(workspace))).toEqual(
      new Set([
        { user_id: users[0], role: 'admin', manual_role: 'admin', scim_role: null },
        { user_id: users[1], role: 'admin', manual_role: 'admin', scim_role: 'member' },
        // Given by hand before, and so left as it was given.
        { user_id: users[2], role: 'member', manual_role: 'member', scim_role: null },
      ]),
    );
    expect(await app.rows('SELECT id, user_id, created_at FROM workspace_members ORDER BY id')).toEqual(ids);
    expect((await auditEventsOf(app, id)).at(-1)!.changes).toEqual({ keep_members: { after: true } });
  });

  it('answers 200, and the pair can be mapped again', async () => {
    const [user] = (await fixture.users(1)) as [string];
    const [group, workspace] = [await fixture.group([user]), await fixture.workspace()];
    const { id } = await fixture.map(group, workspace);

    await remove(id, '?keep_members=false');
    await fixture.map(group, workspace, 'admin');

    expect(await fixture.memberships(workspace)).toEqual(fixture.mapped([user], 'admin'));
  });

  it('answers 404 the second time, and 200 to one of many at the same time', async () => {
    const { id } = await fixture.map(await fixture.group(await fixture.users(2)), await fixture.workspace());

    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(id, '?keep_members=false')));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(404)]);
    await expectRefused(id, '?keep_members=true', { status: 404, reason: 'scim_group_mapping_not_found' });
    expect((await auditEventsOf(app, id)).filter(({ action }) => action.endsWith('.delete'))).toHaveLength(1);
  });

  it.each([
    ['', ['keep_members']],
    ['?keep_members', ['keep_members']],
    ['?keep_members=', ['keep_members']],
    ['?keep_members=1', ['keep_members']],
    ['?keep_members=True', ['keep_members']],
    ['?keep_members=null', ['keep_members']],
    ['?keep_members=true&keep_members=true', ['keep_members']],
    ['?keep_members=true&force=true', ['force']],
  ])('answers 400 for "%s"', async (query, paths) => {
    const { id } = await fixture.map(await fixture.group(await fixture.users(1)), await fixture.workspace());

    await expectRefused(id, query, { status: 400, reason: 'invalid_parameters', paths });
  });

  it.each([UNKNOWN_UUID, 'nowhere'])('answers 404 for %s', async (id) => {
    await expectRefused(id, '?keep_members=false', { status: 404, reason: 'scim_group_mapping_not_found' });
    await expectRefused(id, '', { status: 400, reason: 'invalid_parameters', paths: ['keep_members'] });
  });

  it("answers 404 for another organization's mapping", async () => {
    const other = await ScimFixture.make(app);
    const { id } = await other.map(await other.group(await other.users(1)), await other.workspace());

    await expectRefused(id, '?keep_members=false', { status: 404, reason: 'scim_group_mapping_not_found' });
  });

  it('answers 404 for an organization without SCIM', async () => {
    const other = await ScimFixture.make(app);
    const { id } = await other.map(await other.group(), await other.workspace());
    await app.rows('UPDATE organizations SET scim_enabled = false WHERE id = $1', [other.organization.organizationId]);

    await expectRefused(id, '?keep_members=false', { status: 404, reason: 'scim_not_enabled' }, other);
  });
});

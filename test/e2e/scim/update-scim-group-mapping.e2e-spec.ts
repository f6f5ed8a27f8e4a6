import { sharedApplication } from '../../support/application/shared-application.js';
import type { UpdateScimGroupMappingResponse } from '../../../src/modules/scim/dto/scim.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { someMalformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { ScimFixture } from '../../support/resources/scim.js';
import { TIMESTAMP, UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { filledBefore } from '../../support/application/filled-before.js';

describe('updateScimGroupMapping', () => {
  const app = sharedApplication({ topic: 'suite' });
  const fixture = filledBefore(beforeAll, () => ScimFixture.make(app));

  const update = (
    id: string,
    json: unknown,
    { organization } = fixture,
  ): Promise<Answer<UpdateScimGroupMappingResponse>> =>
    app.api.patch(`/scim/group-mappings/${id}`, { key: organization.managementKey, json });

  const rows = (): Promise<unknown[]> => app.rows('SELECT * FROM scim_group_mappings ORDER BY id');

  const expectRefused = async (id: string, json: unknown, refusal: Refusal, by = fixture): Promise<void> => {
    const before = await rows();
    const answer = await update(id, json, by);
    expectRefusal(answer, { userId: by.organization.userId, ...refusal });
    expectToFitContract('updateScimGroupMapping', answer.status, answer.body);
    expect(await rows()).toEqual(before);
  };

  it('answers 200, changes the role of the mapping and of its members, and records it', async () => {
    const users = await fixture.users(2);
    const workspace = await fixture.workspace();
    const made = await fixture.map(await fixture.group(users), workspace);
    expect(await fixture.memberships(workspace)).toEqual(fixture.mapped(users));

    const answer = await update(made.id, { role: 'admin' });

    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      ...made,
      role: 'admin',
      updated_at: expect.stringMatching(TIMESTAMP) as string,
    });
    expect(answer.body.data.updated_at > made.updated_at).toBe(true);
    expectToFitContract('updateScimGroupMapping', 200, answer.body);
    expect(await app.rows('SELECT role, updated_at FROM scim_group_mappings WHERE id = $1', [made.id])).toEqual([
      { role: 'admin', updated_at: new Date(answer.body.data.updated_at) },
    ]);
    expect(await fixture.memberships(workspace)).toEqual(fixture.mapped(users, 'admin'));
    expect((await auditEventsOf(app, made.id)).at(-1)).toEqual({
      action: 'scim_group_mapping.update',
      target_type: 'scim_group_mapping',
      target_id: made.id,
      actor_kind: 'management_key',
      actor_id: fixture.organization.userId,
      changes: { role: { before: 'member', after: 'admin' } },
    });
  });

  it('answers 200 and lowers the role again', async () => {
    const users = await fixture.users(2);
    const workspace = await fixture.workspace();
    const { id } = await fixture.map(await fixture.group(users), workspace, 'admin');

    await update(id, { role: 'member' });

    expect(await fixture.memberships(workspace)).toEqual(fixture.mapped(users));
  });

  it('answers 200 and keeps admins who are admins by another mapping or by hand', async () => {
    const [mapped, manual, neither] = (await fixture.users(3)) as [string, string, string];
    const workspace = await fixture.workspace();
    await app.factory.workspaceMember(fixture.organization.organizationId, workspace, manual, 'admin');
    await fixture.map(await fixture.group([mapped]), workspace, 'admin');
    const { id } = await fixture.map(await fixture.group([mapped, manual, neither]), workspace, 'admin');

    await update(id, { role: 'member' });

    const expected = [
      { user_id: mapped, role: 'admin', manual_role: null, scim_role: 'admin' },
      { user_id: manual, role: 'admin', manual_role: 'admin', scim_role: 'member' },
      { user_id: neither, role: 'member', manual_role: null, scim_role: 'member' },
    ].sort((one, other) => (one.user_id < other.user_id ? -1 : 1));
    expect(await fixture.memberships(workspace)).toEqual(expected);
  });

  it('answers 200, changes nothing and records nothing for the same role', async () => {
    const made = await fixture.map(await fixture.group(), await fixture.workspace(), 'admin');
    const events = await auditEventsOf(app, made.id);

    const answer = await update(made.id.toUpperCase(), { role: 'admin' });

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: made });
    expect(await auditEventsOf(app, made.id)).toEqual(events);
  });

  it('answers 200 to requests for both roles at the same time, and applies one', async () => {
    const users = await fixture.users(3);
    const workspace = await fixture.workspace();
    const { id } = await fixture.map(await fixture.group(users), workspace);

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => update(id, { role: index % 2 === 0 ? 'admin' : 'member' })),
    );

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [mapping] = await app.rows<{ role: 'admin' | 'member' }>(
      'SELECT role FROM scim_group_mappings WHERE id = $1',
      [id],
    );
    expect(await fixture.memberships(workspace)).toEqual(fixture.mapped(users, mapping!.role));
  });

  it.each([UNKNOWN_UUID, 'nowhere'])('answers 404 for %s', async (id) => {
    await expectRefused(id, { role: 'admin' }, { status: 404, reason: 'scim_group_mapping_not_found' });
  });

  it("answers 404 for another organization's mapping", async () => {
    const other = await ScimFixture.make(app);
    const { id } = await other.map(await other.group(), await other.workspace());

    await expectRefused(id, { role: 'admin' }, { status: 404, reason: 'scim_group_mapping_not_found' });
  });

  it('answers 404 for an organization without SCIM', async () => {
    const other = await ScimFixture.make(app);
    const { id } = await other.map(await other.group(), await other.workspace());
    await app.rows('UPDATE organizations SET scim_enabled = false WHERE id = $1', [other.organization.organizationId]);

    await expectRefused(id, { role: 'admin' }, { status: 404, reason: 'scim_not_enabled' }, other);
    await expectRefused(id, {}, { status: 400, reason: 'invalid_parameters', paths: ['role'] }, other);
  });

  it.each([
    [{}, ['role']],
    [{ role: null }, ['role']],
    [{ role: 'owner' }, ['role']],
    [{ role: ['admin'] }, ['role']],
    [{ role: 'admin', workspace_id: UNKNOWN_UUID }, ['workspace_id']],
    [{ role: 'x', id: UNKNOWN_UUID, created_at: 1 }, ['role', 'id', 'created_at']],
  ])('answers 400 for %j', async (json, paths) => {
    const { id } = await fixture.map(await fixture.group(), await fixture.workspace());

    await expectRefused(id, json, { status: 400, reason: 'invalid_parameters', paths });
  });

  it.each(someMalformedBodies({ role: 'admin' }))('answers 400, 413 or 415 for %s', async (_, request, refusal) => {
    const { id } = await fixture.map(await fixture.group(), await fixture.workspace());

    const answer = await app.api.patch(`/scim/group-mappings/${id}`, {
      key: fixture.organization.managementKey,
      ...request,
    });

    expectRefusal(answer, { ...refusal, userId: fixture.organization.userId });
  });
});

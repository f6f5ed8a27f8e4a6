import type { UpdateScimGroupMappingResponse } from '../../../src/modules/scim/dto/scim-group-mapping.dto.js';
import type { Answer } from '../../support/api-client.js';
import { eventsOf } from '../../support/audit-events.js';
import { expectToFitContract } from '../../support/contract.js';
import { malformedBodies } from '../../support/malformed-bodies.js';
import { expectRefusal, type Refusal } from '../../support/refusal.js';
import { ScimScene } from '../../support/scim-scene.js';
import { TestApplication } from '../../support/test-application.js';
import { TIMESTAMP, UNKNOWN_UUID } from '../../support/wire-forms.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';

describe('PATCH /scim/group-mappings/{id}', () => {
  let app: TestApplication;
  let scene: ScimScene;

  beforeAll(async () => {
    app = await TestApplication.start();
    scene = await ScimScene.make(app);
  });

  afterAll(() => app.stop());

  const update = (
    id: string,
    json: unknown,
    { organization } = scene,
  ): Promise<Answer<UpdateScimGroupMappingResponse>> =>
    app.api.patch(`/scim/group-mappings/${id}`, { key: organization.managementKey, json });

  const rows = (): Promise<unknown[]> => app.rows('SELECT * FROM scim_group_mappings ORDER BY id');

  const expectRefused = async (id: string, json: unknown, refusal: Refusal, by = scene): Promise<void> => {
    const before = await rows();
    const answer = await update(id, json, by);
    expectRefusal(answer, { userId: by.organization.userId, ...refusal });
    expectToFitContract('updateScimGroupMapping', answer.status, answer.body);
    expect(await rows()).toEqual(before);
  };

  it('changes the role, of the mapping and of its members, and records it', async () => {
    const users = await scene.users(2);
    const workspace = await scene.workspace();
    const made = await scene.map(await scene.group(users), workspace);
    expect(await scene.memberships(workspace)).toEqual(scene.mapped(users));

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
    expect(await scene.memberships(workspace)).toEqual(scene.mapped(users, 'admin'));
    expect((await eventsOf(app, made.id)).at(-1)).toEqual({
      action: 'scim_group_mapping.update',
      target_type: 'scim_group_mapping',
      target_id: made.id,
      actor_kind: 'management_key',
      actor_id: scene.organization.userId,
      changes: { role: { before: 'member', after: 'admin' } },
    });
  });

  it('takes the role away again', async () => {
    const users = await scene.users(2);
    const workspace = await scene.workspace();
    const { id } = await scene.map(await scene.group(users), workspace, 'admin');

    await update(id, { role: 'member' });

    expect(await scene.memberships(workspace)).toEqual(scene.mapped(users));
  });

  it('leaves whoever is an admin by another mapping, or by hand, an admin', async () => {
    const [mapped, manual, neither] = (await scene.users(3)) as [string, string, string];
    const workspace = await scene.workspace();
    await app.factory.workspaceMember(scene.organization.organizationId, workspace, manual, 'admin');
    await scene.map(await scene.group([mapped]), workspace, 'admin');
    const { id } = await scene.map(await scene.group([mapped, manual, neither]), workspace, 'admin');

    await update(id, { role: 'member' });

    const expected = [
      { user_id: mapped, role: 'admin', manual_role: null, scim_role: 'admin' },
      { user_id: manual, role: 'admin', manual_role: 'admin', scim_role: 'member' },
      { user_id: neither, role: 'member', manual_role: null, scim_role: 'member' },
    ].sort((one, other) => (one.user_id < other.user_id ? -1 : 1));
    expect(await scene.memberships(workspace)).toEqual(expected);
  });

  it('changes nothing, and records nothing, where the role is what it was', async () => {
    const made = await scene.map(await scene.group(), await scene.workspace(), 'admin');
    const events = await eventsOf(app, made.id);

    const answer = await update(made.id.toUpperCase(), { role: 'admin' });

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: made });
    expect(await eventsOf(app, made.id)).toEqual(events);
  });

  it('comes to one of both roles when both are asked for at the same time', async () => {
    const users = await scene.users(3);
    const workspace = await scene.workspace();
    const { id } = await scene.map(await scene.group(users), workspace);

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => update(id, { role: index % 2 === 0 ? 'admin' : 'member' })),
    );

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [mapping] = await app.rows<{ role: 'admin' | 'member' }>(
      'SELECT role FROM scim_group_mappings WHERE id = $1',
      [id],
    );
    expect(await scene.memberships(workspace)).toEqual(scene.mapped(users, mapping!.role));
  });

  it.each([UNKNOWN_UUID, 'nowhere'])('does not find %s', async (id) => {
    await expectRefused(id, { role: 'admin' }, { status: 404, reason: 'scim_group_mapping_not_found' });
  });

  it("does not find another organization's", async () => {
    const other = await ScimScene.make(app);
    const { id } = await other.map(await other.group(), await other.workspace());

    await expectRefused(id, { role: 'admin' }, { status: 404, reason: 'scim_group_mapping_not_found' });
  });

  it('does not exist for an organization without SCIM', async () => {
    const other = await ScimScene.make(app);
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
  ])('does not take %j', async (json, paths) => {
    const { id } = await scene.map(await scene.group(), await scene.workspace());

    await expectRefused(id, json, { status: 400, reason: 'invalid_parameters', paths });
  });

  it.each(malformedBodies({ role: 'admin' }))('does not take %s', async (_, request, refusal) => {
    const { id } = await scene.map(await scene.group(), await scene.workspace());

    const answer = await app.api.patch(`/scim/group-mappings/${id}`, {
      key: scene.organization.managementKey,
      ...request,
    });

    expectRefusal(answer, { ...refusal, userId: scene.organization.userId });
  });

  describeWhoMayCall(['management_key'], async () => ({
    app,
    organization: scene.organization,
    operationId: 'updateScimGroupMapping',
    method: 'PATCH',
    path: `/scim/group-mappings/${(await scene.map(await scene.group(), await scene.workspace())).id}`,
    json: { role: 'admin' },
  }));
});

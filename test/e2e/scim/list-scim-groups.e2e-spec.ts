import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { ScimGroupsService } from '../../../src/modules/scim/scim-groups.service.js';
import type { ListScimGroupsResponse } from '../../../src/modules/scim/dto/scim-group.dto.js';
import type { Answer } from '../../support/api-client.js';
import { expectToFitContract } from '../../support/contract.js';
import { PAGE_QUERY_FAULTS } from '../../support/page-query-faults.js';
import { expectEveryWindow } from '../../support/page-walk.js';
import { expectRefusal } from '../../support/refusal.js';
import { ScimScene } from '../../support/scim-scene.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';

const PATH = '/scim/groups';

describe('GET /scim/groups', () => {
  let app: TestApplication;
  let caller: ScimScene;

  beforeAll(async () => {
    app = await TestApplication.start();
    caller = await ScimScene.make(app);
  });

  afterAll(() => app.stop());

  const list = ({ organization }: ScimScene, query = ''): Promise<Answer<ListScimGroupsResponse>> =>
    app.api.get(`${PATH}${query}`, { key: organization.managementKey });

  it('answers an empty page at first', async () => {
    const answer = await list(await ScimScene.make(app));

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: [], total_count: 0 });
    expectToFitContract('listScimGroups', 200, answer.body);
  });

  it('answers each group as its row has it, oldest first', async () => {
    const scene = await ScimScene.make(app);
    const { organizationId } = scene.organization;
    const groups = app.application.get(ScimGroupsService);
    const first = await groups.add(COMMAND_LINE, organizationId, { displayName: 'Engineering', externalId: 'idp-7' });
    const second = await groups.add(COMMAND_LINE, organizationId, {
      displayName: 'Ä "研究" \u{1F9EA}',
      externalId: null,
    });

    const answer = await list(scene);

    const rows = await app.rows<{ created_at: Date; updated_at: Date }>(
      `SELECT id, organization_id, external_id, display_name, created_at, updated_at FROM scim_groups
       WHERE organization_id = $1 ORDER BY created_at, id`,
      [organizationId],
    );
    expect(answer.body).toEqual({
      data: rows.map((row) => ({
        ...row,
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
      })),
      total_count: 2,
    });
    expect(answer.body.data.map(({ id, external_id, display_name }) => [id, external_id, display_name])).toEqual([
      [first, 'idp-7', 'Engineering'],
      [second, null, 'Ä "研究" \u{1F9EA}'],
    ]);
    expectToFitContract('listScimGroups', 200, answer.body);
  });

  it("lists the caller's organization's groups alone, and none that is removed", async () => {
    const [scene, other] = [await ScimScene.make(app), await ScimScene.make(app)];
    const [kept, removed] = [await scene.group(), await scene.group()];
    await other.group();
    await app.application.get(ScimGroupsService).remove(COMMAND_LINE, scene.organization.organizationId, removed);

    const { data, total_count: total } = (await list(scene)).body;

    expect([data.map(({ id }) => id), total]).toEqual([[kept], 1]);
  });

  it('answers every window of a list', async () => {
    const scene = await ScimScene.make(app);
    for (let count = 0; count < 5; count += 1) await scene.group();
    const { data } = (await list(scene)).body;

    await expectEveryWindow(app, { path: PATH, key: scene.organization.managementKey }, data);
  });

  it.each(PAGE_QUERY_FAULTS)('does not take ?%s', async (query, paths) => {
    const scene = await ScimScene.make(app);

    expectRefusal(await list(scene, `?${query}`), {
      status: 400,
      reason: 'invalid_parameters',
      paths,
      userId: scene.organization.userId,
    });
  });

  it('does not exist for an organization without SCIM, also when it has groups', async () => {
    const scene = await ScimScene.make(app);
    await scene.group();
    await app.rows('UPDATE organizations SET scim_enabled = false WHERE id = $1', [scene.organization.organizationId]);

    const answer = await list(scene);

    expectRefusal(answer, { status: 404, reason: 'scim_not_enabled', userId: scene.organization.userId });
    expectToFitContract('listScimGroups', 404, answer.body);
  });

  describeWhoMayCall(['management_key'], () => ({
    app,
    organization: caller.organization,
    operationId: 'listScimGroups',
    method: 'GET',
    path: PATH,
  }));
});

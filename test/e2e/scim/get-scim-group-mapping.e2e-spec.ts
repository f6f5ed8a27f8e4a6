import type { GetScimGroupMappingResponse } from '../../../src/modules/scim/dto/scim-group-mapping.dto.js';
import type { Answer } from '../../support/api-client.js';
import { expectToFitContract } from '../../support/contract.js';
import { expectRefusal } from '../../support/refusal.js';
import { ScimScene } from '../../support/scim-scene.js';
import { TestApplication } from '../../support/test-application.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';

describe('GET /scim/group-mappings/{id}', () => {
  let app: TestApplication;
  let scene: ScimScene;

  beforeAll(async () => {
    app = await TestApplication.start();
    scene = await ScimScene.make(app);
  });

  afterAll(() => app.stop());

  const get = (id: string, { organization } = scene): Promise<Answer<GetScimGroupMappingResponse>> =>
    app.api.get(`/scim/group-mappings/${id}`, {
      key: organization.managementKey,
      headers: { 'x-request-id': 'the-same' },
    });

  const expectNotFound = (answer: Answer, { organization } = scene): void => {
    expectRefusal(answer, { status: 404, reason: 'scim_group_mapping_not_found', userId: organization.userId });
    expectToFitContract('getScimGroupMapping', 404, answer.body);
  };

  it('answers the mapping as it was answered when it was made, by its id in capitals as well', async () => {
    const made = await scene.map(await scene.group(), await scene.workspace(), 'admin');

    const answer = await get(made.id);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: made });
    expectToFitContract('getScimGroupMapping', 200, answer.body);
    expect((await get(made.id.toUpperCase())).text).toBe(answer.text);
  });

  it.each([UNKNOWN_UUID, 'nowhere', '%20', `${UNKNOWN_UUID}x`, `{${UNKNOWN_UUID}}`])('does not find %s', async (id) => {
    expectNotFound(await get(id));
  });

  it("does not find another organization's, nor a group or a workspace, and says no more of them than of none", async () => {
    const other = await ScimScene.make(app);
    const theirs = await other.map(await other.group(), await other.workspace());
    const [group, workspace] = [await scene.group(), await scene.workspace()];

    const answers = await Promise.all([UNKNOWN_UUID, theirs.id, group, workspace].map((id) => get(id)));

    for (const answer of answers) expectNotFound(answer);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await get(theirs.id, other)).status).toBe(200);
  });

  it('does not exist for an organization without SCIM', async () => {
    const other = await ScimScene.make(app);
    const { id } = await other.map(await other.group(), await other.workspace());
    await app.rows('UPDATE organizations SET scim_enabled = false WHERE id = $1', [other.organization.organizationId]);

    for (const one of [id, UNKNOWN_UUID]) {
      expectRefusal(await get(one, other), {
        status: 404,
        reason: 'scim_not_enabled',
        userId: other.organization.userId,
      });
    }
  });

  it('takes no query', async () => {
    const { id } = await scene.map(await scene.group(), await scene.workspace());

    expectRefusal(await get(`${id}?keep_members=true`), {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['keep_members'],
      userId: scene.organization.userId,
    });
  });

  describeWhoMayCall(['management_key'], async () => ({
    app,
    organization: scene.organization,
    operationId: 'getScimGroupMapping',
    method: 'GET',
    path: `/scim/group-mappings/${(await scene.map(await scene.group(), await scene.workspace())).id}`,
  }));
});

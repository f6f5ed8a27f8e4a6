import { sharedApplication } from '../../support/application/shared-application.js';
import type { GetWorkspaceResponse } from '../../../src/modules/workspaces/dto/workspace.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { EVERY_WORKSPACE_SETTING, newWorkspace, WORKSPACE_DEFAULTS } from '../../support/resources/workspaces.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('getWorkspace', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  const get = (reference: string, owner = organization): Promise<Answer<GetWorkspaceResponse>> =>
    app.api.get(`/workspaces/${reference}`, { key: owner.managementKey });

  it('answers 200 with every field, by id, by id in capitals and by slug alike', async () => {
    const workspace = await newWorkspace(app, organization, 'everything', EVERY_WORKSPACE_SETTING);

    for (const reference of [workspace.id, workspace.id.toUpperCase(), 'everything']) {
      const answer = await get(reference);
      expect(answer.status).toBe(200);
      expectToFitContract('getWorkspace', 200, answer.body);
      expect(answer.body).toEqual({ data: workspace });
    }
  });

  it('answers 200 with the default workspace and its default settings', async () => {
    const answer = await get('default');

    expectToFitContract('getWorkspace', 200, answer.body);
    expect(answer.body.data).toMatchObject({
      id: organization.workspaceId,
      name: 'Default',
      slug: 'default',
      ...WORKSPACE_DEFAULTS,
      include_byok_in_budgets: false,
      created_at: expect.stringMatching(TIMESTAMP) as unknown,
      updated_at: null,
      created_by: organization.userId,
    });
  });

  it('answers 200 with a workspace of an earlier release, which had no settings', async () => {
    const id = '019aa3f0-5b1e-7c40-9d0e-0000000000aa';
    await app.rows(
      `INSERT INTO workspaces (id, organization_id, name, slug, default_guardrail_id, created_at)
       VALUES ($1, $2, 'Old', 'old', $1, now())`,
      [id, organization.organizationId],
    );

    expect((await get('old')).body.data).toMatchObject({ id, ...WORKSPACE_DEFAULTS, created_by: null });
  });

  it.each([UNKNOWN_UUID, 'nowhere', 'Default', '%25', 'default%20'])('answers 404 for %s', async (reference) => {
    const answer = await get(reference);

    expectRefusal(answer, { status: 404, reason: 'workspace_not_found', userId: organization.userId });
    expectToFitContract('getWorkspace', 404, answer.body);
  });

  it("answers 404 for another organization's workspace, also when its slug is the same", async () => {
    const other = await app.factory.organization();
    const theirs = await newWorkspace(app, other, 'theirs');

    for (const reference of [theirs.id, 'theirs', other.workspaceId]) {
      expectRefusal(await get(reference), {
        status: 404,
        reason: 'workspace_not_found',
        userId: organization.userId,
      });
    }
    expect((await get('default', other)).body.data.id).toBe(other.workspaceId);
  });

  it('answers 400 for a query', async () => {
    expectRefusal(await get('default?limit=1'), {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['limit'],
      userId: organization.userId,
    });
  });
});

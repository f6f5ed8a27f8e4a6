import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { GetWorkspaceBudgetResponse } from '../../../src/modules/workspaces/dto/workspace-budget.dto.js';
import type { Answer } from '../../support/api-client.js';
import { expectToFitContract } from '../../support/contract.js';
import { expectRefusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';

const LIMITS = { daily: 1, weekly: 2, monthly: 3, lifetime: 4 };

describe('GET /workspaces/{id}/budgets/{interval}', () => {
  let app: TestApplication;
  let organization: NewOrganization;
  let workspace: string;

  beforeAll(async () => {
    app = await TestApplication.start();
    organization = await app.factory.organization();
    workspace = await app.factory.workspace(organization, 'budgeted');
  });

  afterAll(() => app.stop());

  const get = (reference: string, interval: string): Promise<Answer<GetWorkspaceBudgetResponse>> =>
    app.api.get(`/workspaces/${reference}/budgets/${interval}`, { key: organization.managementKey });

  it.each(Object.entries(LIMITS))('answers the %s budget as it was set, by id and by slug', async (interval, limit) => {
    const path = `/workspaces/${workspace}/budgets/${interval}`;
    const json = { limit_usd: limit, include_byok_in_budgets: limit % 2 === 0 };
    const made = await app.api.put(path, { key: organization.managementKey, json });

    for (const reference of [workspace, 'budgeted']) {
      const answer = await get(reference, interval);
      expect(answer.status).toBe(200);
      expectToFitContract('getWorkspaceBudget', 200, answer.body);
      expect(answer.body).toEqual(made.body);
      expect(answer.body).toMatchObject({
        data: { limit_usd: limit, reset_interval: interval === 'lifetime' ? null : interval },
        include_byok_in_budgets: limit % 2 === 0,
      });
    }
  });

  it.each(Object.keys(LIMITS))('does not find the %s budget of a workspace that has none', async (interval) => {
    const answer = await get('default', interval);

    expectRefusal(answer, { status: 404, reason: 'budget_not_found', userId: organization.userId });
    expectToFitContract('getWorkspaceBudget', 404, answer.body);
  });

  it('does not find a budget that is deleted, beside one that is not', async () => {
    const { organizationId } = organization;
    const id = await app.factory.workspace(organization);
    await app.factory.budget(organizationId, id, 'daily', 1);
    await app.factory.budget(organizationId, id, 'weekly', 2);

    await app.api.delete(`/workspaces/${id}/budgets/daily`, { key: organization.managementKey });

    expect((await get(id, 'daily')).status).toBe(404);
    expect((await get(id, 'weekly')).status).toBe(200);
  });

  it("does not find a workspace that there is not, nor another organization's", async () => {
    const other = await app.factory.organization();
    const theirs = await app.factory.workspace(other, 'theirs');
    await app.factory.budget(other.organizationId, theirs, 'daily', 1);

    for (const reference of [UNKNOWN_UUID, 'nowhere', theirs, 'theirs']) {
      expectRefusal(await get(reference, 'daily'), {
        status: 404,
        reason: 'workspace_not_found',
        userId: organization.userId,
      });
    }
  });

  it.each(['yearly', 'DAILY', 'null', '*', '__proto__'])('does not take %s for an interval', async (interval) => {
    const answer = await get(UNKNOWN_UUID, interval);

    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['interval'],
      userId: organization.userId,
    });
    expectToFitContract('getWorkspaceBudget', 400, answer.body);
  });

  describeWhoMayCall(['management_key'], async () => {
    await app.factory.budget(organization.organizationId, workspace, 'daily', LIMITS.daily);
    return {
      app,
      organization,
      operationId: 'getWorkspaceBudget',
      method: 'GET',
      path: '/workspaces/budgeted/budgets/daily',
    };
  });
});

import { sharedApplication } from '../../support/application/shared-application.js';
import type { GetWorkspaceBudgetResponse } from '../../../src/modules/workspaces/budgets/workspace-budget.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const LIMITS = { daily: 1, weekly: 2, monthly: 3, lifetime: 4 };

describe('getWorkspaceBudget', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);
  let workspace: string;

  beforeAll(async () => {
    workspace = await app.factory.workspace(organization, 'budgeted');
  });

  const get = (reference: string, interval: string): Promise<Answer<GetWorkspaceBudgetResponse>> =>
    app.api.get(`/workspaces/${reference}/budgets/${interval}`, { key: organization.managementKey });

  it.each(Object.entries(LIMITS))(
    'answers 200 with the %s budget as it was set, by id and by slug',
    async (interval, limit) => {
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
    },
  );

  it.each(Object.keys(LIMITS))('answers 404 for the %s budget of a workspace without one', async (interval) => {
    const answer = await get('default', interval);

    expectRefusal(answer, { status: 404, reason: 'budget_not_found', userId: organization.userId });
    expectToFitContract('getWorkspaceBudget', 404, answer.body);
  });

  it('answers 404 for a deleted budget, and 200 for the one beside it', async () => {
    const { organizationId } = organization;
    const id = await app.factory.workspace(organization);
    await app.factory.budget(organizationId, id, 'daily', 1);
    await app.factory.budget(organizationId, id, 'weekly', 2);

    await app.api.delete(`/workspaces/${id}/budgets/daily`, { key: organization.managementKey });

    expect((await get(id, 'daily')).status).toBe(404);
    expect((await get(id, 'weekly')).status).toBe(200);
  });

  it("answers 404 for a missing workspace and for another organization's", async () => {
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

  it.each(['yearly', 'DAILY', 'null', '*', '__proto__'])('answers 400 for %s as interval', async (interval) => {
    const answer = await get(UNKNOWN_UUID, interval);

    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['interval'],
      userId: organization.userId,
    });
    expectToFitContract('getWorkspaceBudget', 400, answer.body);
  });
});

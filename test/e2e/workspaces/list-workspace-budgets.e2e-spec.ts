import { sharedApplication } from '../../support/application/shared-application.js';
import type {
  ListWorkspaceBudgetsResponse,
  UpsertWorkspaceBudgetResponse,
} from '../../../src/modules/workspaces/budgets/workspace-budget.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { sharedOrganization, workspacePerTest } from '../../support/application/shared-organization.js';

describe('listWorkspaceBudgets', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);
  const workspace = workspacePerTest(app, organization);

  const list = (reference: string, query = ''): Promise<Answer<ListWorkspaceBudgetsResponse>> =>
    app.api.get(`/workspaces/${reference}/budgets${query}`, { key: organization.managementKey });

  const listed = async (reference: string): Promise<ListWorkspaceBudgetsResponse> => {
    const answer = await list(reference);
    expect(answer.status).toBe(200);
    expectToFitContract('listWorkspaceBudgets', 200, answer.body);
    return answer.body;
  };

  const set = async (
    interval: string,
    json: object,
    reference = workspace.id,
  ): Promise<UpsertWorkspaceBudgetResponse> => {
    const path = `/workspaces/${reference}/budgets/${interval}`;
    const { body } = await app.api.put<UpsertWorkspaceBudgetResponse>(path, { key: organization.managementKey, json });
    return body;
  };

  it('answers 200 with an empty list at first, and with include_byok_in_budgets', async () => {
    expect(await listed(workspace.id)).toEqual({ data: [], include_byok_in_budgets: false });
    expect(await listed('default')).toEqual({ data: [], include_byok_in_budgets: false });
  });

  it('answers 200 with every budget as it was answered, oldest first', async () => {
    const made = [
      await set('monthly', { limit_usd: 30 }),
      await set('lifetime', { limit_usd: 40, include_byok_in_budgets: true }),
      await set('daily', { limit_usd: 10 }),
      await set('weekly', { limit_usd: 20 }),
    ];

    const { data, include_byok_in_budgets: includeByok } = await listed(workspace.id);

    expect(data).toEqual(made.map((answer) => answer.data));
    expect(data.map(({ reset_interval: reset }) => reset)).toEqual(['monthly', null, 'daily', 'weekly']);
    expect(includeByok).toBe(true);
  });

  it('answers 200 in the same order after a change of a limit, and without deleted budgets', async () => {
    await set('weekly', { limit_usd: 20 });
    await set('daily', { limit_usd: 10 });
    await set('weekly', { limit_usd: 30 });
    const resets = async (): Promise<unknown[]> =>
      (await listed(workspace.id)).data.map((budget) => budget.reset_interval);
    expect(await resets()).toEqual(['weekly', 'daily']);

    await app.api.delete(`/workspaces/${workspace.id}/budgets/weekly`, { key: organization.managementKey });

    expect(await resets()).toEqual(['daily']);
  });

  it('answers 200 with the budgets of the workspace only, by id and by slug', async () => {
    await app.factory.workspace(organization, 'budgeted');
    await set('daily', { limit_usd: 7 }, 'budgeted');
    await set('daily', { limit_usd: 8 });

    const { data } = await listed('budgeted');

    expect(data.map(({ limit_usd: limit }) => limit)).toEqual([7]);
    expect((await listed(data[0]!.workspace_id.toUpperCase())).data).toEqual(data);
  });

  it("answers 404 for a missing workspace and for another organization's", async () => {
    const other = await app.factory.organization();
    const theirs = await app.factory.workspace(other, 'theirs');
    await app.factory.budget(other.organizationId, theirs, 'daily', 1);

    for (const reference of [UNKNOWN_UUID, 'nowhere', theirs, 'theirs', other.workspaceId]) {
      const answer = await list(reference);
      expectRefusal(answer, { status: 404, reason: 'workspace_not_found', userId: organization.userId });
      expectToFitContract('listWorkspaceBudgets', 404, answer.body);
    }
  });

  it('answers 400 for a query, because it has no pages', async () => {
    const answer = await list(workspace.id, '?limit=1&offset=0');

    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['limit', 'offset'],
      userId: organization.userId,
    });
  });
});

import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type {
  ListWorkspaceBudgetsResponse,
  UpsertWorkspaceBudgetResponse,
} from '../../../src/modules/workspaces/dto/workspace-budget.dto.js';
import type { Answer } from '../../support/api-client.js';
import { expectToFitContract } from '../../support/contract.js';
import { expectRefusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';

describe('GET /workspaces/{id}/budgets', () => {
  let app: TestApplication;
  let organization: NewOrganization;
  let workspace: string;

  beforeAll(async () => {
    app = await TestApplication.start();
    organization = await app.factory.organization();
  });

  beforeEach(async () => {
    workspace = await app.factory.workspace(organization);
  });

  afterAll(() => app.stop());

  const list = (reference: string, query = ''): Promise<Answer<ListWorkspaceBudgetsResponse>> =>
    app.api.get(`/workspaces/${reference}/budgets${query}`, { key: organization.managementKey });

  const listed = async (reference: string): Promise<ListWorkspaceBudgetsResponse> => {
    const answer = await list(reference);
    expect(answer.status).toBe(200);
    expectToFitContract('listWorkspaceBudgets', 200, answer.body);
    return answer.body;
  };

  const set = async (interval: string, json: object, reference = workspace): Promise<UpsertWorkspaceBudgetResponse> => {
    const path = `/workspaces/${reference}/budgets/${interval}`;
    const { body } = await app.api.put<UpsertWorkspaceBudgetResponse>(path, { key: organization.managementKey, json });
    return body;
  };

  it('is empty where nothing was set, and says what counts all the same', async () => {
    expect(await listed(workspace)).toEqual({ data: [], include_byok_in_budgets: false });
    expect(await listed('default')).toEqual({ data: [], include_byok_in_budgets: false });
  });

  it('lists every budget as it was answered, oldest first', async () => {
    const made = [
      await set('monthly', { limit_usd: 30 }),
      await set('lifetime', { limit_usd: 40, include_byok_in_budgets: true }),
      await set('daily', { limit_usd: 10 }),
      await set('weekly', { limit_usd: 20 }),
    ];

    const { data, include_byok_in_budgets: includeByok } = await listed(workspace);

    expect(data).toEqual(made.map((answer) => answer.data));
    expect(data.map(({ reset_interval: reset }) => reset)).toEqual(['monthly', null, 'daily', 'weekly']);
    expect(includeByok).toBe(true);
  });

  it('keeps its order when a limit changes, and leaves out what is deleted', async () => {
    await set('weekly', { limit_usd: 20 });
    await set('daily', { limit_usd: 10 });
    await set('weekly', { limit_usd: 30 });
    const resets = async (): Promise<unknown[]> =>
      (await listed(workspace)).data.map((budget) => budget.reset_interval);
    expect(await resets()).toEqual(['weekly', 'daily']);

    await app.api.delete(`/workspaces/${workspace}/budgets/weekly`, { key: organization.managementKey });

    expect(await resets()).toEqual(['daily']);
  });

  it('lists those of the workspace alone, by id and by slug', async () => {
    await app.factory.workspace(organization, 'budgeted');
    await set('daily', { limit_usd: 7 }, 'budgeted');
    await set('daily', { limit_usd: 8 });

    const { data } = await listed('budgeted');

    expect(data.map(({ limit_usd: limit }) => limit)).toEqual([7]);
    expect((await listed(data[0]!.workspace_id.toUpperCase())).data).toEqual(data);
  });

  it("does not find a workspace that there is not, nor another organization's", async () => {
    const other = await app.factory.organization();
    const theirs = await app.factory.workspace(other, 'theirs');
    await app.factory.budget(other.organizationId, theirs, 'daily', 1);

    for (const reference of [UNKNOWN_UUID, 'nowhere', theirs, 'theirs', other.workspaceId]) {
      const answer = await list(reference);
      expectRefusal(answer, { status: 404, reason: 'workspace_not_found', userId: organization.userId });
      expectToFitContract('listWorkspaceBudgets', 404, answer.body);
    }
  });

  it('has no pages: a query is a mistake', async () => {
    const answer = await list(workspace, '?limit=1&offset=0');

    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['limit', 'offset'],
      userId: organization.userId,
    });
  });

  describeWhoMayCall(['management_key'], () => ({
    app,
    organization,
    operationId: 'listWorkspaceBudgets',
    method: 'GET',
    path: '/workspaces/default/budgets',
  }));
});

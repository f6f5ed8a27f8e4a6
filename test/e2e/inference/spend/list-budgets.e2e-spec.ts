import type { BudgetState, ListBudgetsResponse } from '../../../../src/modules/spend/budget-states/budget-state.dto.js';
import { newUuid } from '../../../../src/persistence/identifiers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { expectRefusal } from '../../../support/expectations/error-envelope.js';
import { recordUsed } from '../../usage/used-generations.js';
import { sharedGateway } from '../shared-gateway.js';

describe('listBudgets', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const list = async (query = ''): Promise<ListBudgetsResponse> => {
    const { status, body } = await gateway.app.api.get<ListBudgetsResponse>(`/budgets${query}`, {
      key: organization.managementKey,
    });
    expect(status).toBe(200);
    return body;
  };

  const budget = (workspaceId: string, interval: string, limit: number): Promise<unknown> =>
    gateway.app.api.put(`/workspaces/${workspaceId}/budgets/${interval}`, {
      key: organization.managementKey,
      json: { limit_usd: limit },
    });

  /** Reserves an amount for a request that is being answered. @param age of the request in days */
  const reserve = (workspaceId: string, amount: string, byokAmount: string, age = 0): Promise<unknown> =>
    gateway.app.rows(
      `INSERT INTO spend_reservations (organization_id, generation_id, process_id, key_id, user_id, workspace_id, created_at, amount_usd,
         byok_amount_usd, request)
       SELECT $1, 'gen-' || second || '-' || $2, $3, $4, $5, $6, to_timestamp(second), $7, $8, '{}'
       FROM (SELECT extract(epoch FROM now() - make_interval(days => $9))::bigint AS second) AS time`,
      [
        organization.organizationId,
        newUuid(),
        newUuid(),
        key.id,
        organization.userId,
        workspaceId,
        amount,
        byokAmount,
        age,
      ],
    );

  const stateOf = (states: readonly BudgetState[], interval: string): BudgetState =>
    states.find((state) => state.interval === interval)!;

  it('answers 200 with nothing where no workspace has a budget', async () => {
    expect(await list()).toEqual({ data: [], total_count: 0 });
  });

  it('answers 200 with what is spent, reserved and left of each budget, the most used first', async () => {
    const other = await gateway.app.factory.workspace(organization);
    await budget(organization.workspaceId, 'lifetime', 1000);
    await budget(organization.workspaceId, 'daily', 100);
    await budget(other, 'monthly', 10);
    await recordUsed(gateway.app, organization, key, [
      { costUsd: '60.5' },
      { costUsd: '7', isByok: true },
      { costUsd: '9.5', workspaceId: other },
    ]);
    await reserve(organization.workspaceId, '4.25', '8');
    await reserve(organization.workspaceId, '100', '100', 2);
    const { data, total_count: total } = await list();

    expect(total).toBe(3);
    expect(data.map(({ workspace_id: id, interval }) => [id, interval])).toEqual([
      [other, 'monthly'],
      [organization.workspaceId, 'daily'],
      [organization.workspaceId, 'lifetime'],
    ]);
    const daily = stateOf(data, 'daily');
    expect(daily).toMatchObject({
      workspace_name: expect.any(String) as string,
      include_byok_in_budgets: false,
      limit_usd: 100,
      spent_usd: 60.5,
      reserved_usd: 4.25,
      left_usd: 35.25,
    });
    expect(Date.parse(daily.resets_at!) - Date.parse(daily.window_start!)).toBe(86_400_000);
    expect(daily.window_start).toMatch(/T00:00:00\.000Z$/);
    expect(stateOf(data, 'monthly').resets_at).toMatch(/-01T00:00:00\.000Z$/);
    // The request of the day before yesterday counts in its own window only.
    expect(stateOf(data, 'lifetime')).toMatchObject({
      spent_usd: 60.5,
      reserved_usd: 104.25,
      left_usd: 835.25,
      window_start: null,
      resets_at: null,
      forecast_usd: null,
      forecast_exhausted_at: null,
    });
  });

  it('answers 200 with usage through own provider keys where it counts, and with 0 left where more is used than the limit', async () => {
    await budget(organization.workspaceId, 'lifetime', 10);
    await gateway.app.api.put(`/workspaces/${organization.workspaceId}/budgets/lifetime`, {
      key: organization.managementKey,
      json: { limit_usd: 10, include_byok_in_budgets: true },
    });
    await recordUsed(gateway.app, organization, key, [{ costUsd: '7', isByok: true }]);
    await reserve(organization.workspaceId, '4', '5');

    expect((await list()).data).toMatchObject([
      { include_byok_in_budgets: true, spent_usd: 7, reserved_usd: 5, left_usd: 0 },
    ]);
  });

  it('answers 200 with the budgets of a workspace, page by page', async () => {
    const other = await gateway.app.factory.workspace(organization);
    for (const [interval, limit] of [
      ['lifetime', 3],
      ['monthly', 2],
      ['daily', 1],
    ] as const)
      await budget(other, interval, limit);
    await budget(organization.workspaceId, 'daily', 1);

    expect(await list(`?workspace_id=${other.toUpperCase()}`)).toMatchObject({ total_count: 3 });
    const pages = await Promise.all([0, 1, 2, 3, 4].map((offset) => list(`?limit=1&offset=${offset}`)));
    expect(pages.map(({ total_count: total }) => total)).toEqual([4, 4, 4, 4, 4]);
    const found = pages.flatMap(({ data }) => data.map(({ workspace_id: id, interval }) => `${id} ${interval}`));
    expect(new Set(found).size).toBe(4);
    expect(pages[4]!.data).toEqual([]);
  });

  it('answers 400 for a workspace that is no id', async () => {
    const answer = await gateway.app.api.get('/budgets?workspace_id=default', { key: organization.managementKey });
    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['workspace_id'],
      userId: organization.userId,
    });
  });
});

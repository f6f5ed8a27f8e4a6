import { sharedApplication } from '../../support/application/shared-application.js';
import type { BudgetInterval } from '../../../src/modules/workspaces/budgets/budget-interval.js';
import type { UpsertWorkspaceBudgetResponse } from '../../../src/modules/workspaces/budgets/workspace-budget.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedOrganization, workspacePerTest } from '../../support/application/shared-organization.js';
import { digestOfRows } from '../../support/database/digest-of-rows.js';

export const INTERVALS = ['daily', 'weekly', 'monthly', 'lifetime'] as const;

/** What the tests of upsertWorkspaceBudget send, and what they look at. */
export function budgetWrites() {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);
  const workspace = workspacePerTest(app, organization);

  const put = (
    interval: string,
    json: unknown,
    reference = workspace.id,
    { api } = app,
  ): Promise<Answer<UpsertWorkspaceBudgetResponse>> =>
    api.put(`/workspaces/${reference}/budgets/${interval}`, { key: organization.managementKey, json });

  const set = async (
    interval: BudgetInterval,
    json: object | number,
    reference = workspace.id,
  ): Promise<UpsertWorkspaceBudgetResponse> => {
    const answer = await put(interval, typeof json === 'number' ? { limit_usd: json } : json, reference);
    expect(answer.text).toContain('"data"');
    expect(answer.status).toBe(200);
    expectToFitContract('upsertWorkspaceBudget', 200, answer.body);
    return answer.body;
  };

  const rows = (id = workspace.id): Promise<Record<string, unknown>[]> =>
    app.rows('SELECT * FROM workspace_budgets WHERE workspace_id = $1 ORDER BY "interval"', [id]);

  const limits = async (id = workspace.id): Promise<Partial<Record<BudgetInterval, number>>> =>
    Object.fromEntries((await rows(id)).map((row) => [row['interval'], row['limit_usd']]));

  const targetOf = (interval: BudgetInterval): string => `${workspace.id}/${interval}`;

  const expectRefused = async (
    interval: string,
    json: unknown,
    reason: string,
    ...paths: string[]
  ): Promise<Answer> => {
    const state = async (): Promise<unknown> => [
      await rows(),
      await app.rows('SELECT * FROM workspaces WHERE id = $1', [workspace.id]),
      await digestOfRows(app, 'SELECT id FROM audit_events'),
    ];
    const before = await state();
    const answer = await put(interval, json);
    expectRefusal(answer, { status: 400, reason, paths, userId: organization.userId });
    expectToFitContract('upsertWorkspaceBudget', 400, answer.body);
    expect(await state()).toEqual(before);
    return answer;
  };

  return { app, organization, workspace, put, set, rows, limits, targetOf, expectRefused };
}

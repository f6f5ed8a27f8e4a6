import type { ListBudgetsResponse } from '../../../src/modules/spend/budget-states/budget-state.dto.js';
import { recordUsed } from '../usage/used-generations.js';
import { consolePerTest } from './console-browser.js';

describe('the budgets in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;

  const budgets = async (): Promise<ListBudgetsResponse['data']> => {
    const { managementKey: key } = context.organization;
    return (await context.app.api.get<ListBudgetsResponse>('/budgets', { key })).body.data;
  };

  it('are set, shown with what is spent and left, changed and deleted', async () => {
    await context.ui.go('/budgets');
    await page().getByText('There are no budgets yet.').waitFor();
    await page().getByRole('button', { name: 'Set a budget' }).click();
    await page().getByLabel('Of the workspace').locator('option').first().waitFor({ state: 'attached' });
    await page().getByLabel('Interval').selectOption('lifetime');
    await page().getByLabel('Limit in US dollars').fill('40');
    expect(await context.ui.barriers()).toEqual([]);
    await page().keyboard.press('Enter');
    await page().getByRole('status').getByText('The budget is set').waitFor();
    expect(await budgets()).toMatchObject([{ interval: 'lifetime', limit_usd: 40, spent_usd: 0 }]);

    const key = await context.app.factory.key(context.organization);
    await recordUsed(context.app, context.organization, key, [{ costUsd: '10' }, { costUsd: '2.5' }]);
    await page().reload();
    await page().getByText('$12.50 of $40.00').waitFor();
    expect(await page().locator('tbody').textContent()).toContain('$27.50');
    expect(await context.ui.barriers()).toEqual([]);

    await page()
      .getByRole('button', { name: /^Change the lifetime budget/ })
      .click();
    await page().getByLabel('Limit in US dollars').fill('12.5');
    await page().getByRole('button', { name: 'Set the budget' }).click();
    await page().getByText('Nothing is left').waitFor();

    await page()
      .getByRole('button', { name: /^Delete the lifetime budget/ })
      .click();
    await page().getByRole('button', { name: 'Delete the budget' }).click();
    await page().getByText('There are no budgets yet.').waitFor();
    expect(await budgets()).toEqual([]);
  });

  it('are those of all workspaces with one request for the list, and filtered by the address', async () => {
    const { organization, app } = context;
    const other = await app.factory.workspace(organization, 'other');
    for (const id of [organization.workspaceId, other]) {
      const path = `/workspaces/${id}/budgets/monthly`;
      await app.api.put(path, { key: organization.managementKey, json: { limit_usd: 5 } });
    }
    await context.ui.go('/budgets');
    await page().getByRole('row', { name: 'other' }).waitFor();
    expect(await page().locator('tbody tr').count()).toBe(2);
    expect(await context.ui.calledOperations()).toEqual([
      'GET /budgets',
      'GET /configuration/objects',
      'GET /workspaces',
    ]);

    await page().getByLabel('Workspace').selectOption({ label: 'other' });
    await page().waitForURL(/workspace=/);
    await page().locator('tbody tr:only-child').waitFor();
    await page().reload();
    await page().getByRole('row', { name: 'other' }).waitFor();
    expect(await page().locator('tbody tr').count()).toBe(1);
  });

  it('are refused with a 400 where a daily limit is not below the monthly one, which is said at the field', async () => {
    const { organization, app } = context;
    const path = `/workspaces/${organization.workspaceId}/budgets/monthly`;
    await app.api.put(path, { key: organization.managementKey, json: { limit_usd: 5 } });
    await context.ui.go('/budgets');
    await page().getByRole('button', { name: 'Set a budget' }).click();
    await page().getByLabel('Of the workspace').locator('option').first().waitFor({ state: 'attached' });
    await page().getByLabel('Interval').selectOption('daily');
    await page().getByLabel('Limit in US dollars').fill('6');
    await page().getByRole('button', { name: 'Set the budget' }).click();
    await page().getByRole('alert').waitFor();

    expect(await page().getByLabel('Limit in US dollars').getAttribute('aria-invalid')).toBe('true');
    expect(await budgets()).toHaveLength(1);
    // The browser writes every 400 into its console.
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
  });
});

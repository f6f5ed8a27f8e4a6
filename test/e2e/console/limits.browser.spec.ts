import type { Limit, LimitException } from '../../../src/modules/limits/dto/limit.dto.js';
import { newReplay } from '../../support/resources/replays.js';
import { keepRecordsBefore, recordUsed } from '../usage/used-generations.js';
import { consolePerTest } from './console-browser.js';

describe('the limits in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const row = (text: string) => page().locator('tbody tr', { hasText: text });

  const management = () => ({ key: context.organization.managementKey });
  const limits = async (): Promise<Limit[]> =>
    (await context.app.api.get<{ data: Limit[] }>('/limits', management())).body.data;
  const exceptions = async (id: string): Promise<LimitException[]> =>
    (await context.app.api.get<{ data: LimitException[] }>(`/limits/${id}/exceptions`, management())).body.data;
  const makeLimit = async (json: object): Promise<Limit> => {
    const { status, body } = await context.app.api.post<{ data: Limit }>('/limits', {
      ...management(),
      json: { measure: 'requests', window: 'monthly', ...json },
    });
    expect(status).toBe(201);
    return body.data;
  };

  /** Asks a model for an end user. @returns the status of the answer */
  const askFor = async (key: string, user: string): Promise<number> => {
    const json = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }], user };
    return (await context.app.api.post('/chat/completions', { key, json })).status;
  };

  it('are made with conditions and groups, hold (429), are changed and deleted', async () => {
    const { plaintext: key } = await context.app.factory.key(context.organization);
    await context.ui.go('/limits');
    await page().getByText('There are no limits').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create a limit').click();
    await page().getByLabel('Name', { exact: true }).fill('Few <b>requests</b>');
    await page().getByLabel('Counts').selectOption('requests');
    await page().getByLabel('Amount', { exact: true }).fill('1');
    await page().getByLabel('In what time').selectOption('monthly');
    await page().getByLabel('End user').check();
    await page().getByLabel('Requests that lack').selectOption('shared');
    await button('Add a condition').click();
    await page().getByRole('combobox', { name: 'Pick one for Is one of' }).fill('gatehouse/echo');
    await page().locator('datalist option[value="gatehouse/echo"]').waitFor({ state: 'attached' });
    await page().keyboard.press('Enter');
    await page().getByRole('combobox', { name: 'Pick one for Is none of' }).fill('openai/gpt-5.5');
    await button('Add to Is none of').click();
    expect(await page().getByRole('textbox', { name: 'Is none of' }).inputValue()).toBe('openai/gpt-5.5');
    await page().getByRole('textbox', { name: 'Is none of' }).fill('');
    await button('Add a condition').click();
    const second = page().locator('dialog fieldset').last();
    await second.getByLabel('What is compared').selectOption({ label: 'Workspace' });
    await second.getByLabel('Add to the values').selectOption({ index: 1 });
    await button('Add a condition').click();
    const third = page().locator('dialog fieldset').last();
    await third.getByLabel('What is compared').selectOption({ label: 'Label' });
    await third.getByLabel('Name of the label').fill('team');
    await button('Remove condition 3').click();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create the limit').click();

    await page().getByRole('heading', { name: 'Few <b>requests</b>' }).waitFor();
    await page().getByText('No request has counted').waitFor();
    expect(await limits()).toMatchObject([
      {
        measure: 'requests',
        amount: 1,
        window: 'monthly',
        workspace_id: null,
        group_by: ['user'],
        conditions: [
          { key: 'model', values: ['gatehouse/echo'] },
          { key: 'workspace', values: [context.organization.workspaceId] },
        ],
        on_missing: 'shared',
        enforcement: 'enforce',
        alert_at: [0.8, 1],
      },
    ]);
    expect([await askFor(key, 'ada'), await askFor(key, 'ada'), await askFor(key, 'bob')]).toEqual([200, 429, 200]);

    await button('Edit').click();
    await page().getByLabel('Amount', { exact: true }).fill('5');
    await page().getByLabel('Enforcement').selectOption('observe');
    await page().getByLabel('Alerts at percent').fill('50, 110');
    await button('Save').click();
    await page().getByText('5 requests a month').waitFor();
    expect(await limits()).toMatchObject([{ amount: 5, enforcement: 'observe', alert_at: [0.5, 1.1] }]);

    await button('Delete').click();
    await button('Delete the limit').click();
    await page().getByText('There are no limits').waitFor();
    expect(await limits()).toEqual([]);
  });

  it('show what combinations have used, by the names of members and keys, and let one of them more (429, then 200)', async () => {
    const { plaintext: key, hash } = await context.app.factory.key(context.organization);
    const { id } = await makeLimit({ name: 'Of each', amount: 1, group_by: ['api_key', 'user'] });
    expect([await askFor(key, 'ada'), await askFor(key, 'ada')]).toEqual([200, 429]);

    await context.ui.go(`/limits/${id}`);
    await row('ada').getByText('1 of 1').waitFor();
    expect(await page().locator(`tbody a[href$="/keys/${hash}"]`).count()).toBe(1);
    await button('Create an exception').click();
    await page().getByLabel('Key', { exact: true }).selectOption(hash);
    await page().getByLabel('End user', { exact: true }).fill('ada');
    await page().getByLabel('Amount', { exact: true }).fill('3');
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create the exception').click();
    await row('ada').getByText('1 of 3').waitFor();
    await page().getByText('for good').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    expect(await askFor(key, 'ada')).toBe(200);

    await button(`Delete the exception for Key ${hash}, End user ada`).click();
    await button('Delete the exception').click();
    await page().getByText('The amount is the same for all.').waitFor();
    expect(await exceptions(id)).toEqual([]);
  });

  it('are replayed over requests that were answered (200), and cancelled while that runs', async () => {
    const { organization, app } = context;
    const key = await app.factory.key(organization);
    await keepRecordsBefore(app, 1);
    const createdAt = new Date(Date.now() - 120_000);
    const records = ['ada', 'ada', 'bob'].map((externalUser) => ({ createdAt, details: { externalUser } }));
    await recordUsed(app, organization, key, records);
    const { id } = await makeLimit({ name: 'Once', amount: 1, window: 'weekly', group_by: ['user'] });
    await context.ui.go(`/limits/${id}`);
    await button('Replay').click();
    await page().getByText('3 records were looked at.').waitFor();
    await row('limit').getByText('refused').waitFor();
    expect(await context.ui.barriers()).toEqual([]);

    await context.ui.go(`/limits/${id}?replay=${await newReplay(app, organization)}`);
    await page().getByText('Running').waitFor();
    await button('Cancel the replay').click();
    await page().getByText('Cancelled', { exact: true }).waitFor();
  });

  it('are refused (400) with what is wrong at its field, and so are exceptions that are over', async () => {
    await context.ui.go('/limits');
    await button('Create a limit').click();
    await page().getByLabel('Name', { exact: true }).fill('Wrong');
    await page().getByLabel('Amount in US dollars').fill('1');
    await page().getByLabel('In what time').selectOption('session');
    for (const name of ['team', 'no good']) {
      await page().getByRole('combobox', { name: 'Labels' }).fill(name);
      await page().keyboard.press('Enter');
    }
    await page().getByLabel('Alerts at percent').fill('many');
    await button('Add a condition').click();
    await button('Create the limit').click();
    await page().getByRole('alert').waitFor();
    for (const label of ['In what time', 'Labels', 'Alerts at percent', 'Is one of'])
      await page().locator('[aria-invalid]').and(page().getByLabel(label)).waitFor();
    expect(await limits()).toEqual([]);

    const { id } = await makeLimit({ name: 'Right', amount: 1, group_by: ['label.team'] });
    await context.ui.go(`/limits/${id}`);
    await button('Create an exception').click();
    await page().getByLabel('Label team').fill('search');
    await page().getByLabel('Amount', { exact: true }).fill('2');
    await page().getByLabel('Until').fill('2001-01-01T00:00');
    await button('Create the exception').click();
    await page().getByRole('alert').waitFor();
    expect(await page().getByLabel('Until').getAttribute('aria-invalid')).toBe('true');
    // The browser writes every 400 into its console.
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400'), expect.stringContaining('400')]);
  });

  it('are not changed (412) over a change that was made meanwhile (200), which is said', async () => {
    const { id } = await makeLimit({ name: 'Shared', amount: 10 });
    await context.ui.go(`/limits/${id}`);
    await button('Edit').click();
    await page().getByLabel('Amount', { exact: true }).fill('1000');
    const elsewhere = { ...management(), json: { amount: 5 } };
    expect((await context.app.api.patch(`/limits/${id}`, elsewhere)).status).toBe(200);
    await button('Save').click();
    await page().getByRole('alert').getByText('it has been changed meanwhile').waitFor();
    expect(await limits()).toMatchObject([{ amount: 5 }]);
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('412')]);
  });

  it('are listed (200) with one request for the list, also in a window that is 320 pixels wide', async () => {
    for (const name of ['First', 'N'.repeat(100)])
      await makeLimit({ name, amount: 1, conditions: [{ key: 'user', values: '*', excludes: ['W'.repeat(100)] }] });
    await page().setViewportSize({ width: 320, height: 800 });
    await context.ui.go('/limits');
    await page().getByRole('link', { name: 'First' }).waitFor();
    expect(await context.ui.calledOperations()).toEqual([
      'GET /configuration/objects',
      'GET /limits',
      'GET /organization/members',
      'GET /workspaces',
    ]);
    expect(await context.ui.overflows()).toBe(false);
    await page()
      .getByRole('link', { name: 'N'.repeat(100) })
      .click();
    await button('Edit').click();
    expect(await context.ui.overflows()).toBe(false);
  });
});

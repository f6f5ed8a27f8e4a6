import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { FAILED, recordUsed, REFUSED, type UsedGeneration } from '../usage/used-generations.js';
import { ConsoleBrowser, consolePerTest } from './console-browser.js';

describe('the overview in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const rows = () => page().getByRole('region', { name: 'Spend and requests over time' }).locator('tbody tr');
  const tile = (since: string, label: string) =>
    page()
      .locator('.tiles', { has: page().getByRole('heading', { name: since }) })
      .locator('dl > div', { has: page().locator('dt', { hasText: label }) })
      .locator('dd');

  /** Lets no hour, day or month end between what is recorded and what is shown. @returns the time that it is in the browser */
  const stopClock = async (): Promise<Date> => {
    const now = new Date();
    now.setMilliseconds(0);
    await context.ui.leave();
    await page().clock.setFixedTime(now);
    return now;
  };

  it('says that nothing is wrong where nothing is, and is where the console begins', async () => {
    await context.ui.go('/');
    await page().getByText('Nothing is wrong.').waitFor();
    expect(await page().locator('h1').textContent()).toBe('Overview');
    // A chart has one, and there is no other.
    await page().locator('canvas').nth(1).waitFor();
    expect(await page().locator('canvas').count()).toBe(2);
    expect(await rows().count()).toBe(24);
  });

  it('says so where the code of a page cannot be loaded (404), and shows the others all the same', async () => {
    await context.ui.go('/keys');
    const scripts = /\/assets\/limits?-[\w-]+\.js$/;
    await page().route(scripts, (route) => route.fulfill({ status: 404, body: '' }));
    await page().getByRole('link', { name: 'Limits' }).click();
    await page().getByRole('alert').getByText('There may be a newer version').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await page().getByRole('link', { name: 'Keys' }).click();
    await page().getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    expect(context.ui.complaints.splice(0).length).toBeGreaterThan(0);

    await page().getByRole('link', { name: 'Limits' }).click();
    const again = page().getByRole('button', { name: 'Load it again' });
    await again.waitFor();
    await page().unroute(scripts);
    await again.click();
    await page().getByRole('heading', { name: 'Limits', level: 1 }).waitFor();
    context.ui.complaints.splice(0);
  });

  it('shows what was spent and asked, in charts and a table beside them, for a time that is in the address', async () => {
    const key = await context.app.factory.key(context.organization);
    const createdAt = await stopClock();
    const records = [{ costUsd: '1.25' }, { costUsd: '2' }, REFUSED].map((record) => ({ ...record, createdAt }));
    await recordUsed(context.app, context.organization, key, records);
    await context.ui.go('/');
    await page().getByText('$3.25 spent, 2 requests answered, 1 refused or failed').waitFor();
    await rows().first().getByText('$3.25').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    // Each list once, and no request a row.
    expect(await context.ui.calledOperations()).toEqual([
      'GET /budgets',
      'GET /generations',
      'GET /keys',
      'GET /keys',
      'GET /limits',
      'GET /observability/destinations',
      // Of today and this month the sums and the percentiles, the steps, providers, reasons, and six that say who spends and what is asked.
      ...Array.from({ length: 13 }, () => 'POST /analytics/query'),
    ]);

    await page().getByLabel('Time', { exact: true }).selectOption({ label: 'Last 30 days' });
    await page().waitForURL(/range=month/);
    await rows().nth(29).waitFor();
    await rows().first().getByText('$3.25').waitFor();
    await page().getByText('$3.25 spent').waitFor();
  });

  it('shows what today and this month were, who has spent the most, and why requests were refused (402) or failed (503), with the way to each', async () => {
    const { app, organization } = context;
    const few = await app.factory.key(organization, { name: 'few' });
    const many = await app.factory.key(organization, { name: 'many' });
    const labels = { team: 'search' };
    const createdAt = await stopClock();
    await recordUsed(app, organization, few, [{ createdAt, costUsd: '1', details: { latencyMs: 250 } }]);
    await recordUsed(app, organization, many, [
      { createdAt, costUsd: '2', details: { latencyMs: 250, labels } },
      { ...REFUSED, createdAt, status: 402, details: { refusal: 'insufficient_budget' } },
      { ...FAILED, createdAt },
      { ...FAILED, createdAt },
    ]);
    await context.ui.go('/overview');
    await page().getByRole('region', { name: 'Labels that have spent the most' }).getByText('team=search').waitFor();
    for (const since of ['Today', 'This month']) {
      await tile(since, '95 of 100 within').getByText('250 ms').waitFor();
      await tile(since, 'Spent')
        .and(page().getByText('$3.00', { exact: true }))
        .waitFor();
      expect(await tile(since, 'Requests').textContent()).toBe('5');
      expect(await tile(since, 'Refused').textContent()).toBe('1');
      expect(await tile(since, 'Failed').textContent()).toBe('2');
    }
    const keys = page().getByRole('region', { name: 'Keys that have spent the most' }).locator('tbody tr');
    await keys.getByText('few').waitFor();
    expect(await keys.allTextContents()).toEqual(['many$2.004', 'few$1.001']);
    const reasons = page().getByRole('region', { name: 'Reasons' }).locator('tbody tr');
    await reasons.nth(1).waitFor();
    expect(await reasons.allTextContents()).toEqual(['5032', 'insufficient_budget1']);
    await page().getByRole('img', { name: 'Refusals and failures by reason over time' }).locator('canvas').waitFor();
    expect(await context.ui.barriers()).toEqual([]);

    await page().getByRole('link', { name: '4 requests of many' }).click();
    await page().getByRole('heading', { name: 'Requests' }).waitFor();
    await page().locator('tbody tr').nth(3).waitFor();
    expect(await page().locator('tbody tr').count()).toBe(4);
  });

  it('names the tools that were called the most, also those that were refused (429), with the way to their calls', async () => {
    const { app, organization } = context;
    const key = await app.factory.key(organization);
    const ofTool = (name: string): UsedGeneration => ({
      model: `mcp:docs/${name}`,
      provider: 'mcp:docs',
      costUsd: '0',
      details: { apiType: 'mcp' },
    });
    const refused = { ...REFUSED, model: 'mcp:docs/echo', details: { apiType: 'mcp', refusal: 'limit_exceeded' } };
    await recordUsed(app, organization, key, [
      ofTool('echo'),
      ofTool('echo'),
      { ...refused, status: 429 } as UsedGeneration,
      { ...ofTool('seek'), costUsd: '1' },
      { costUsd: '2' },
    ]);
    await context.ui.go('/overview');
    const tools = page().getByRole('region', { name: 'Tools that were asked the most' }).locator('tbody tr');
    await tools.nth(1).waitFor();
    expect(await tools.allTextContents()).toEqual(['docs/echo$0.003', 'docs/seek$1.001']);
    await page().getByRole('link', { name: '3 requests of docs/echo' }).click();
    await page().getByRole('heading', { name: 'Requests' }).waitFor();
    await page().locator('tbody tr').nth(2).waitFor();
    expect(await page().locator('tbody tr').count()).toBe(3);
  });

  it('names limits by condition and group that are nearly used (201), and who used them, also in a narrow window', async () => {
    const { app, organization } = context;
    const groups = ['api_key', 'user'];
    const json = { name: 'Of all', measure: 'requests', window: 'monthly', amount: 5, group_by: groups };
    const { status } = await app.api.post('/limits', { key: organization.managementKey, json });
    expect(status).toBe(201);
    const key = await app.factory.key(organization, { name: 'Bot' });
    const user = 'u'.repeat(64);
    const ask = { model: 'gatehouse/echo', user, messages: [{ role: 'user', content: 'Hello' }] };
    for (let request = 0; request < 4; request += 1) {
      await app.api.post('/chat/completions', { key: key.plaintext, json: ask });
    }
    await context.ui.go('/overview');
    await page().locator('.troubles').getByText('4 of 5 requests a month of the limit Of all are used').waitFor();
    await page().locator('.troubles').getByRole('link', { name: /^Bot / }).waitFor();
    await page().setViewportSize({ width: 320, height: 800 });
    expect(await context.ui.overflows()).toBe(false);
    await page().setViewportSize({ width: 1280, height: 900 });
    await page().locator('.troubles').getByRole('link', { name: 'Limit' }).click();
    await page().getByRole('heading', { name: 'Of all' }).waitFor();
  });

  it('names budgets that are nearly spent, providers that answer 503 and suspended keys, and leads to them', async () => {
    const { app, organization } = context;
    const key = await app.factory.key(organization);
    await app.factory.key(organization, { name: 'suspended', suspensionCauses: ['workspace_membership'] });
    const path = `/workspaces/${organization.workspaceId}/budgets/lifetime`;
    await app.api.put(path, { key: organization.managementKey, json: { limit_usd: 10 } });
    const failed = { status: 503, costUsd: '0', promptTokens: null, completionTokens: null };
    await recordUsed(app, organization, key, [
      { costUsd: '9', provider: 'beta' },
      ...Array.from({ length: 10 }, () => failed),
    ]);
    await context.ui.go('/overview');
    const troubles = page().locator('.troubles');
    await troubles.getByText('$9.00 of $10.00 of the lifetime budget').waitFor();
    await troubles.getByText('10 of 10 requests in the last 24 hours').waitFor();
    await troubles.getByText('A key is suspended.').waitFor();
    expect(await context.ui.barriers()).toEqual([]);

    await troubles.getByRole('link', { name: 'Budgets of the workspace' }).click();
    await page().getByRole('heading', { name: 'Budgets' }).waitFor();
    expect(new URL(page().url()).search).toBe(`?workspace=${organization.workspaceId}`);
  });

  it('names keys at 80 % and at the whole of their limits, and why requests were refused (402), and leads to both', async () => {
    const { app, organization } = context;
    const limited = async (name: string, spent: string): Promise<IssuedCredential> => {
      const key = await app.factory.key(organization, { name });
      await app.api.patch(`/keys/${key.hash}`, {
        key: organization.managementKey,
        json: { limit: 1 },
      });
      await recordUsed(app, organization, key, [{ costUsd: spent }]);
      return key;
    };
    await limited('half used', '0.5');
    await limited('nearly used', '0.9');
    const met = await limited('used up', '1');
    const refused = { ...REFUSED, status: 402, details: { refusal: 'insufficient_budget' } };
    await recordUsed(app, organization, met, [...Array.from({ length: 9 }, () => refused), FAILED]);
    await context.ui.go('/overview');
    const troubles = page().locator('.troubles');
    await troubles.getByText('$1.00 of $1.00 of the lifetime limit of the key used up are used.').waitFor();
    await troubles.getByText('$0.90 of $1.00 of the lifetime limit of the key nearly used are used.').waitFor();
    await troubles.getByText('10 of 13 requests in the last 24 hours were refused or failed').waitFor();
    await troubles.getByText('were refused or failed: 9 insufficient_budget, 1 503.').waitFor();
    expect(await troubles.textContent()).not.toContain('half used');
    expect(await context.ui.barriers()).toEqual([]);

    await context.ui.go('/keys?used=1');
    await page().locator('tbody tr').waitFor();
    expect(await page().locator('tbody').textContent()).toContain('used up');
  });

  it('can be read in a window that is 320 pixels wide', async () => {
    const narrow = await ConsoleBrowser.open(context.browser, context.app, context.organization, 320);
    try {
      await narrow.go('/overview');
      await narrow.page.locator('canvas').first().waitFor();
      expect(await narrow.overflows()).toBe(false);
      expect(narrow.complaints).toEqual([]);
    } finally {
      await narrow.close();
    }
  });
});

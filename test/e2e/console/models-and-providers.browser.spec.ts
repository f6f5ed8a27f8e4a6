import { EndpointHealth } from '../../../src/modules/routing/endpoint-health.js';
import { recordUsed } from '../usage/used-generations.js';
import { consolePerTest } from './console-browser.js';

describe('the models and providers in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const rows = () => page().locator('tbody tr');

  it('are searched in the catalog with one request for each list, and the search is in the address', async () => {
    await context.ui.go('/models');
    await rows().nth(1).waitFor();
    const all = await rows().count();
    expect(await context.ui.calledOperations()).toEqual(['GET /models', 'GET /providers/health']);
    expect(await context.ui.barriers()).toEqual([]);

    await page().getByLabel('Search').fill('gatehouse/echo');
    await page().waitForURL(/q=/);
    await page().reload();
    await page().getByText('gatehouse/echo', { exact: true }).waitFor();
    expect(await rows().count()).toBeLessThan(all);
  });

  it('begin with the providers that can be used', async () => {
    await context.ui.go('/providers');
    await page().getByText('Well', { exact: true }).waitFor();
    expect(await rows().count()).toBeGreaterThan(1);
    expect(await rows().first().textContent()).toContain('gatehouse');

    await page().getByLabel('Show').selectOption({ label: 'Connected' });
    await rows().nth(1).waitFor({ state: 'detached' });
    await page().getByLabel('Name').fill('no-such-provider');
    await page().getByText('No provider matches the filters.').waitFor();
  });

  it('say how a provider has answered (200, 503), those that were asked most first', async () => {
    const { app, organization } = context;
    const key = await app.factory.key(organization);
    const good = { provider: 'gatehouse', model: 'gatehouse/echo', details: { latencyMs: 250 } };
    const failed = { ...good, status: 503, costUsd: '0', promptTokens: null, completionTokens: null, details: {} };
    await recordUsed(app, organization, key, [good, good, good, failed]);
    await context.ui.go('/providers');
    await page()
      .locator('tbody tr:first-child', { hasText: /gatehouse.*Well.*Failing 75 %.*3.*1.*250 ms/ })
      .waitFor();
    expect(await rows().first().locator('meter').getAttribute('value')).toBe('0.75');
    expect(await context.ui.calledOperations()).toEqual([
      'GET /providers',
      'GET /providers/health',
      'POST /analytics/query',
    ]);
    expect(await context.ui.barriers()).toEqual([]);

    await rows()
      .first()
      .getByRole('link', { name: /^Models of/ })
      .click();
    await page().getByRole('heading', { name: 'Models' }).waitFor();
    await page().getByText('gatehouse/echo', { exact: true }).waitFor();
  });

  it('say how endpoints answer now: 200, and one that has just failed', async () => {
    const { app, organization } = context;
    const { plaintext: key } = await app.factory.key(organization);
    const json = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }] };
    expect((await app.api.post('/chat/completions', { key, json })).status).toBe(200);
    await context.ui.go('/providers');
    await page().getByText('1 endpoint').click();
    await page().getByText('last success').waitFor();
    expect(await context.ui.barriers()).toEqual([]);

    app.application.get(EndpointHealth).record('gatehouse/echo gatehouse', organization.organizationId, false);
    await context.ui.go('/models?q=gatehouse/echo');
    await page().getByText('1 endpoint').click();
    await page().getByText('Degraded').waitFor();
    await page().getByText('1 failed in 5 minutes').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
  });
});

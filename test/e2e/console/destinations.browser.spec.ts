import { consolePerTest } from './console-browser.js';

describe('the destinations in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;

  it('are shown with their deliveries, and a test says that the address of the receiver is not allowed', async () => {
    const { app, organization } = context;
    const config = { url: 'http://127.0.0.1:9/hook' };
    const id = await app.factory.destination(organization, 'webhook', config);
    await context.ui.go('/destinations');
    await page()
      .getByRole('link', { name: /^Destination \d/ })
      .waitFor();
    expect(await page().locator('tbody').textContent()).toContain('webhook');
    expect(context.ui.calls.sort()).toEqual([
      'GET /configuration/objects',
      'GET /observability/destinations',
      'GET /workspaces',
    ]);
    expect(await context.ui.barriers()).toEqual([]);

    await page()
      .getByRole('link', { name: /^Destination \d/ })
      .click();
    await page().getByRole('heading', { name: 'Deliveries' }).waitFor();
    expect(new URL(page().url()).pathname).toBe(`/console/destinations/${id}`);
    await page().getByRole('button', { name: 'Send a test' }).click();
    await page().getByText('The receiver has not taken the generation of the test').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
  });
});

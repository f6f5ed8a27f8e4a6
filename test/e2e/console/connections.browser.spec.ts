import { ConnectionsService } from '../../../src/modules/providers/connections/connections.service.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { makeOperator, operatorKey } from '../../support/resources/provider-connections.js';
import { until } from '../../support/time/until.js';
import { consolePerTest } from './console-browser.js';

const PROVIDER = 'inferact-vllm';
const OLD_KEY = 'sk-old-LOOK-FOR-ME-0123';
const NEW_KEY = 'sk-new-LOOK-FOR-ME-4567';

describe('the connections of the deployment in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const field = (name: string) => page().getByLabel(name, { exact: true });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const row = (text: string) => page().locator('tbody tr', { hasText: text });
  let server: ProviderServer;

  beforeAll(async () => {
    server = await ProviderServer.start();
    server.answerWith((response, { headers }) => {
      const isAccepted = headers.authorization === `Bearer ${NEW_KEY}`;
      const body = isAccepted ? { data: [] } : { error: { message: 'no such key' } };
      response.writeHead(isAccepted ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });

  afterAll(() => server.stop());

  afterEach(() => context.app.rows('DELETE FROM provider_connections'));

  const unlock = async (): Promise<void> => {
    const key = await operatorKey(context.app, context.organization);
    await field('Key of the operator').fill(key);
    await button('Show the connections').click();
    await button('Connect a provider').waitFor();
  };

  const open = async (): Promise<void> => {
    await context.ui.go('/providers/connections');
    await unlock();
  };

  it('are asked for with the key of the operator, which is not kept: 403 without the scope, 404 for others', async () => {
    Object.assign(context.app.environment, { operatorOrganizationId: undefined });
    await context.ui.go('/providers/connections');
    await field('Key of the operator').fill(context.organization.managementKey);
    await button('Show the connections').click();
    await page().getByText('This organization is not the operator’s').waitFor();
    await page().getByText(`OPERATOR_ORGANIZATION_ID=${context.organization.organizationId}`).waitFor();
    expect(await context.ui.barriers()).toEqual([]);

    makeOperator(context.app, context.organization);
    await button('Show the connections').click();
    await page().getByText('It needs the permission providers_read').waitFor();
    await field('Key of the operator').fill('mk-no-such-key');
    await button('Show the connections').click();
    // The failure of the key before it is shown until the next answer.
    await until(() => Promise.resolve(context.ui.complaints.length === 3));
    expect(page().url()).toContain('/providers/connections');
    expect(context.ui.complaints.splice(0).map((complaint) => /\d{3}/.exec(complaint)?.[0])).toEqual([
      '404',
      '403',
      '401',
    ]);

    await open();
    await context.ui.go('/providers/connections');
    expect(await field('Key of the operator').inputValue()).toBe('');
    const stored = await page().evaluate<string>('JSON.stringify([localStorage, sessionStorage])');
    expect(stored).toBe('[{},{}]');
  });

  it('are made anew with another key, tested (200, 401) and disconnected', async () => {
    const capabilities = { developer_role: true };
    const request = {
      ...{ provider: PROVIDER, baseUrl: server.baseUrl, apiKey: OLD_KEY, timeouts: {}, models: {} },
      capabilities,
    };
    await context.app.application.get(ConnectionsService).connect(request);
    await open();
    expect(await context.ui.barriers()).toEqual([]);
    await button(`Test ${PROVIDER}`).click();
    await row(PROVIDER).getByText('Not accepted').waitFor();
    await row(PROVIDER).getByText('no such key').waitFor();

    await button(`Change ${PROVIDER}`).click();
    expect(await field('Address').inputValue()).toBe(server.baseUrl);
    await field('API key').fill(NEW_KEY);
    expect(await context.ui.barriers()).toEqual([]);
    await button('Connect the provider').click();
    await row(PROVIDER).getByText('Accepted', { exact: true }).waitFor();
    expect(server.received.at(-1)!.headers.authorization).toBe(`Bearer ${NEW_KEY}`);
    expect(await page().content()).not.toContain(NEW_KEY);
    // What was said of the server by other means stays.
    expect(await context.app.rows('SELECT capabilities FROM provider_connections')).toEqual([{ capabilities }]);

    await button(`Disconnect ${PROVIDER}`).click();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Disconnect the provider').click();
    await row(PROVIDER).waitFor({ state: 'detached' });
    expect(await context.app.rows('SELECT provider FROM provider_connections')).toEqual([]);
  });

  it('ask for what a cloud needs, say at its field what is wrong (400), and keep what was filled in but the secret', async () => {
    await open();
    await button('Connect a provider').click();
    await field('Provider').fill('azure');
    await field('Preset of a cloud').selectOption('azure-openai');
    await field('Credential').selectOption('entra-client-secret');
    await field('Client secret of Entra ID').fill('a-secret-of-an-application');
    await button('Connect the provider').click();
    await page().getByRole('alert').waitFor();
    expect(await field('Resource').getAttribute('aria-invalid')).toBe('true');
    await field('Resource').fill('acme');
    await context.ui.press(button('Connect the provider'));
    await page().locator('[aria-invalid]').and(field('Tenant')).waitFor();
    expect(context.ui.complaints.splice(0)).toHaveLength(2);

    await page().evaluate(`history.pushState(null, '', '${context.app.origin}/console/providers/keys')`);
    await page().getByRole('link', { name: 'Connections', exact: true }).click();
    await unlock();
    await button('Connect a provider').click();
    expect([await field('Resource').inputValue(), await field('Client secret of Entra ID').inputValue()]).toEqual([
      'acme',
      '',
    ]);
    await field('Preset of a cloud').selectOption('vertex');
    await field('Project').fill('acme-models');
    await page().getByText('Time limits and capabilities').click();
    await field('Capabilities as JSON').fill('{');
    await button('Connect the provider').click();
    await page().locator('[aria-invalid]').and(field('Capabilities as JSON')).waitFor();
    expect(await context.app.rows('SELECT provider FROM provider_connections')).toEqual([]);
  });

  it('fit a window that is 320 pixels wide, and say what failed when they cannot be read (500)', async () => {
    await page().setViewportSize({ width: 320, height: 800 });
    await open();
    expect(await context.ui.overflows()).toBe(false);
    await button('Connect a provider').click();
    await field('Preset of a cloud').selectOption('azure-openai-dated');
    expect(await context.ui.overflows()).toBe(false);
    await button('Cancel').click();
    await page().route('**/provider-connections?*', (route) =>
      route.fulfill({ status: 500, json: { error: { message: 'Out of order' } } }),
    );
    await context.ui.go('/providers/connections');
    await field('Key of the operator').fill('mk-any');
    await button('Show the connections').click();
    await page().getByRole('alert').getByText('Out of order').waitFor();
    expect(context.ui.complaints.splice(0)).toHaveLength(1);
  });
});

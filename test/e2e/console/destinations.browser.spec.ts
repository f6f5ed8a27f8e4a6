import { DESTINATION_SETTINGS, DESTINATION_TYPES } from '../../../src/modules/observability/destination-settings.js';
import type { ObservabilityDestination } from '../../../src/modules/observability/dto/destination.dto.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { DESTINATION_SAMPLES, SECRET_MARK, signingSecret } from '../../support/resources/destination-samples.js';
import { consolePerTest } from './console-browser.js';

/** An address of a metadata service, which is allowed nowhere. */
const FORBIDDEN = 'http://169.254.169.254/hook';

describe('the destinations in the console', () => {
  const context = consolePerTest({ ALLOW_PRIVATE_DESTINATIONS: 'true' });
  let receiver: ProviderServer;
  const page = () => context.ui.page;
  const field = (name: string) => page().getByLabel(name, { exact: true });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const heading = (name: string) => page().getByRole('heading', { name, exact: true });
  const crumb = (name: string) => page().getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name });
  const management = () => ({ key: context.organization.managementKey });
  const url = () => `${new URL(receiver.baseUrl).origin}/hook/${SECRET_MARK}-path`;

  const destinations = async (query = ''): Promise<ObservabilityDestination[]> =>
    (
      await context.app.api.get<{ data: ObservabilityDestination[] }>(
        `/observability/destinations${query}`,
        management(),
      )
    ).body.data;

  /** Sends a test from the page of a destination. @returns the headers that came */
  const tried = async (): Promise<Readonly<Record<string, unknown>>> => {
    receiver.received.length = 0;
    // What the page says of one test is what it has said of the one before.
    await context.ui.press(button('Send a test'));
    await page().getByText('The receiver has taken the generation of the test.').waitFor();
    expect(receiver.received).toHaveLength(1);
    return receiver.received[0]!.headers;
  };

  const save = () => context.ui.save('The destination was saved.');

  beforeAll(async () => {
    receiver = await ProviderServer.start();
    receiver.answerJson({});
  });
  afterAll(() => receiver.stop());

  it('are shown with their deliveries, and a test says that the address of the receiver is not allowed', async () => {
    const { app, organization } = context;
    const id = await app.factory.destination(organization, 'webhook', { url: FORBIDDEN });
    await context.ui.go('/destinations');
    await page()
      .getByRole('link', { name: /^Destination \d/ })
      .waitFor();
    expect(await page().locator('tbody').textContent()).toContain('Webhook');
    expect(await context.ui.calledOperations()).toEqual([
      'GET /configuration/objects',
      'GET /observability/destinations',
      'GET /workspaces',
    ]);
    expect(await context.ui.barriers()).toEqual([]);

    await page()
      .getByRole('link', { name: /^Destination \d/ })
      .click();
    await heading('Deliveries').waitFor();
    expect(new URL(page().url()).pathname).toBe(`/console/destinations/${id}`);
    await button('Send a test').click();
    await page().getByText('The receiver has not taken the generation of the test').waitFor();
    await page().getByText('The address leads into a private network.').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
  });

  it('are tried before they are there, created, changed with the secrets that they have, disabled and deleted', async () => {
    const key = await context.app.factory.key(context.organization, { name: 'For traces' });
    const secret = signingSecret('abcd');
    await context.ui.go('/destinations');
    await page().getByText('This workspace sends its generations nowhere. Create a destination').waitFor();
    await button('Create a destination').click();
    await heading('New destination').waitFor();
    await field('Type').selectOption('webhook');
    await field('Name').fill('Hook <b>one</b>');
    await field('Address').fill(url());
    await field('HTTP method').selectOption('PUT');
    await field('Secret that signs deliveries').fill(secret);
    await field('Further headers').fill(`x-tenant=${SECRET_MARK}=acme\n`);
    await field('Share of the generations').fill('0.5');
    await field('Without content').check();
    await field('Cost').check();
    await field('Europe').check();
    await field('Only of these API keys').fill(key.hash);
    await page().keyboard.press('Enter');
    await button('Add a group of rules').click();
    await field('Operator of rule 1 of group 1').selectOption('exists');
    await button('Add a rule to group 1').click();
    await field('Field of rule 2 of group 1').selectOption('total_tokens');
    await field('Operator of rule 2 of group 1').selectOption('gt');
    await field('Value of rule 2 of group 1').fill('100');
    expect(await context.ui.barriers()).toEqual([]);

    receiver.received.length = 0;
    await button('Send a test first').click();
    await page().getByText('The receiver has taken the generation of the test.').waitFor();
    expect(receiver.received).toMatchObject([
      { method: 'PUT', path: `/hook/${SECRET_MARK}-path`, headers: { 'x-tenant': `${SECRET_MARK}=acme` } },
    ]);
    expect(receiver.received[0]!.headers['webhook-signature']).toMatch(/^v1,/);
    expect(await destinations()).toEqual([]);

    await button('Create the destination').click();
    await heading('Hook <b>one</b>').waitFor();
    await heading('Deliveries').waitFor();
    expect(await destinations()).toMatchObject([
      {
        type: 'webhook',
        name: 'Hook <b>one</b>',
        enabled: true,
        privacy_mode: true,
        sampling_rate: 0.5,
        broadcast_generation_cost: true,
        broadcast_generation_identity: false,
        regions: ['global', 'europe'],
        api_key_hashes: [key.hash],
        filter_rules: {
          groups: [
            {
              rules: [
                { field: 'model', operator: 'exists' },
                { field: 'total_tokens', operator: 'gt', value: 100 },
              ],
            },
          ],
        },
        config: { method: 'PUT', signingSecret: 'whse...wxyz' },
      },
    ]);
    expect(await page().content()).not.toContain(SECRET_MARK);
    expect(await context.ui.barriers()).toEqual([]);
    await page().getByRole('link', { name: 'Switch it on in its settings' }).waitFor();

    // What was not typed anew stays.
    await field('Name').fill('Hook');
    await field('HTTP method').selectOption('POST');
    await button(`Remove ${key.hash}`).click();
    await button('Remove group 1').click();
    await save();
    await heading('Hook').waitFor();
    expect(await destinations()).toMatchObject([{ api_key_hashes: null, filter_rules: null, sampling_rate: 0.5 }]);
    const headers = await tried();
    expect(headers['x-tenant']).toBe(`${SECRET_MARK}=acme`);
    expect(headers['webhook-signature']).toMatch(/^v1,/);

    await field('Remove: Secret that signs deliveries').check();
    await field('Further headers').fill('');
    await save();
    await field('Remove: Secret that signs deliveries').waitFor({ state: 'detached' });
    const fewer = await tried();
    expect([fewer['x-tenant'], fewer['webhook-signature']]).toEqual([undefined, undefined]);
    expect(await page().content()).not.toContain(SECRET_MARK);

    await crumb('Destinations').click();
    await button('Disable Hook').click();
    await page().locator('.badge', { hasText: 'disabled' }).waitFor();
    expect(await destinations()).toMatchObject([{ enabled: false }]);
    await button('Enable Hook').click();
    await page().locator('.badge', { hasText: 'off' }).waitFor();
    expect(await destinations()).toMatchObject([{ enabled: true }]);

    await page().getByRole('link', { name: 'Hook' }).click();
    await button('Delete').click();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Delete the destination').click();
    await page().getByText('This workspace sends its generations nowhere.').waitFor();
    expect(await destinations()).toEqual([]);
  });

  it('say at its field what is wrong (400), and keep what was filled in on another page, but never a secret', async () => {
    await context.ui.go('/destinations/new');
    await field('Type').selectOption('webhook');
    await field('Name').fill('Hook');
    await field('Address').fill(FORBIDDEN);
    await button('Add a group of rules').click();
    await field('Value of rule 1 of group 1').fill('openai/gpt-5.5');
    await button('Send a test first').click();
    await page().getByRole('alert').waitFor();
    expect(await field('Address').getAttribute('aria-invalid')).toBe('true');
    expect(await page().locator('[aria-invalid]').count()).toBe(1);
    await field('Address').fill(url());
    await field('Secret that signs deliveries').fill('no secret of the form');
    await button('Create the destination').click();
    await page().getByRole('alert').getByText('config.signingSecret').waitFor();
    expect(await field('Secret that signs deliveries').getAttribute('aria-invalid')).toBe('true');
    expect(await page().locator('[aria-invalid]').count()).toBe(1);
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400'), expect.stringContaining('400')]);
    expect(await destinations()).toEqual([]);

    await crumb('Destinations').click();
    await button('Create a destination').click();
    await heading('New destination').waitFor();
    expect(await field('Name').inputValue()).toBe('Hook');
    expect(await field('Value of rule 1 of group 1').inputValue()).toBe('openai/gpt-5.5');
    for (const name of ['Address', 'Secret that signs deliveries', 'Further headers']) {
      expect({ name, value: await field(name).inputValue() }).toEqual({ name, value: '' });
    }
  });

  it('need their secrets again to go elsewhere (400), and are changed by the first (200) of two people and not by the second (412)', async () => {
    const { app, organization } = context;
    const { config } = DESTINATION_SAMPLES.langfuse;
    const id = await app.factory.destination(organization, 'langfuse', config);
    await context.ui.go(`/destinations/${id}`);
    await field('Address').fill('https://hooks.example.com');
    await button('Save').click();
    await page().getByRole('alert').waitFor();
    for (const name of ['Public half of the key pair', 'Secret half of the key pair']) {
      expect({ name, invalid: await field(name).getAttribute('aria-invalid') }).toEqual({ name, invalid: 'true' });
    }
    const path = `/observability/destinations/${id}`;
    expect((await app.api.patch(path, { ...management(), json: { name: 'Theirs' } })).status).toBe(200);
    await field('Address').fill(config['baseUrl']!);
    await field('Name').fill('Mine');
    await button('Save').click();
    await heading('Theirs').waitFor();
    expect(await destinations()).toMatchObject([{ name: 'Theirs', config: { baseUrl: config['baseUrl'] } }]);
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400'), expect.stringContaining('412')]);
  });

  it('have for each type a field for each of its settings, with its default, and hide what is typed into secrets', async () => {
    await context.ui.go('/destinations/new');
    const connection = page().getByRole('group', { name: /^Connection to / });
    const types = await field('Type').locator('option').all();
    expect(types).toHaveLength(DESTINATION_TYPES.length);
    for (const type of DESTINATION_TYPES) {
      const settings = Object.values(DESTINATION_SETTINGS[type]);
      await field('Type').selectOption(type);
      const found = {
        type,
        fields: await connection.locator('input, select').count(),
        secrets: await connection.locator('input[type=password]').count(),
        required: await connection.locator('[required]').count(),
      };
      expect(found).toEqual({
        type,
        fields: settings.length,
        secrets: settings.filter(({ credential }) => credential).length,
        required: settings.filter(({ required }) => required).length,
      });
      const text = (await connection.textContent()) ?? '';
      for (const { default: usual, enum: choices } of settings) expect(text).toContain(choices?.[0] ?? usual ?? '');
    }
    expect(await context.ui.barriers()).toEqual([]);
  });

  it('are those of one workspace, and fit a window that is 320 pixels wide', async () => {
    const { app, organization } = context;
    const workspace = await app.factory.workspace(organization);
    await page().setViewportSize({ width: 320, height: 800 });
    await context.ui.go(`/destinations?workspace=${workspace}`);
    await button('Create a destination').click();
    await heading('New destination').waitFor();
    await button('Add a group of rules').click();
    expect(await context.ui.overflows()).toBe(false);
    await button('Remove group 1').click();
    const name = 'N'.repeat(200);
    await field('Name').fill(name);
    await field('Address that receives traces').fill(url());
    await button('Create the destination').click();
    await heading(name).waitFor();
    await heading('Deliveries').waitFor();
    expect(await context.ui.overflows()).toBe(false);
    expect([await destinations(), await destinations(`?workspace_id=${workspace}`)]).toMatchObject([[], [{ name }]]);
    await context.ui.go(`/destinations?workspace=${workspace}`);
    await page().getByRole('link', { name }).waitFor();
    expect(await context.ui.overflows()).toBe(false);
  });
});

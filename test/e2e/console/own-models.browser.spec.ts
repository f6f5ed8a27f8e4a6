import { answeringAddress } from '../../support/network/answering-server.js';
import {
  newKeyForOwnProvider,
  newPrivateEndpoint,
  newPrivateProvider,
} from '../../support/resources/private-models.js';
import { consolePerTest } from './console-browser.js';

describe('the models of an organization of its own in the console', () => {
  const context = consolePerTest({ ALLOW_PRIVATE_UPSTREAMS: 'true' });
  const page = () => context.ui.page;
  const field = (name: string) => page().getByLabel(name, { exact: true });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const heading = (name: string) => page().getByRole('heading', { name, exact: true });
  const management = () => ({ key: context.organization.managementKey });

  const endpoints = async (): Promise<{ id: string; status: string }[]> =>
    (await context.app.api.get<{ data: { id: string; status: string }[] }>('/private-endpoints', management())).body
      .data;

  it('come from a provider and its key to an active model, say which check fails (409), and are disabled and deleted', async () => {
    await context.ui.go('/models/own');
    await page().getByText('Begin with a provider, below.').waitFor();
    expect(await context.ui.calledOperations()).toEqual(['GET /private-endpoints', 'GET /private-providers']);
    expect(await context.ui.barriers()).toEqual([]);
    await button('Add a provider').click();
    await field('Name').fill('Acme <b>vLLM</b>');
    await field('Slug').fill('acme-vllm');
    await field('Address').fill(await answeringAddress());
    expect(await context.ui.barriers()).toEqual([]);
    await page().getByRole('dialog').getByRole('button', { name: 'Add the provider' }).click();
    await page().getByText('acme-vllm').waitFor();

    await button('Add a model').click();
    await heading('New model of your own').waitFor();
    await field('Model').fill('gpt-5.4');
    await page().locator('datalist option[value="openai/gpt-5.4"]').waitFor({ state: 'attached' });
    await field('Model').fill('openai/gpt-5.4');
    await field('Provider').focus();
    await page().locator('datalist option[value="acme-vllm"]').waitFor({ state: 'attached' });
    await field('Provider').fill('acme-vllm');
    await field('Name at the server').fill('theirs');
    await field('Prompt').fill('0.0000002');
    await page().getByText('A million tokens: $0.20.').waitFor();
    await field('Answer').fill('0.0000008');
    expect(await context.ui.barriers()).toEqual([]);
    await button('Add the model').click();

    await page().getByText('Draft', { exact: true }).waitFor();
    await button('Check and activate').click();
    await page().getByText('The workspace has no own key for the provider').waitFor();
    expect((await endpoints())[0]!.status).toBe('draft');
    expect(await context.ui.barriers()).toEqual([]);
    await newKeyForOwnProvider(context.app, context.organization, 'acme-vllm', 'sk-any-text');
    await button('Check and activate').click();
    await page().getByText('Active', { exact: true }).waitFor();
    expect((await endpoints())[0]!.status).toBe('active');

    await field('Name at the server').fill('another');
    await button('Save').click();
    await page().getByRole('alert').getByText('Disable it first').waitFor();
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('409')]);
    await button('Disable').click();
    await page().getByText('Disabled', { exact: true }).waitFor();
    await context.ui.save('The model was saved.');

    await page().getByRole('link', { name: 'Of your own' }).click();
    await button('Delete acme-vllm').click();
    await button('Delete the provider').click();
    await page().getByRole('alert').getByText('name this provider').waitFor();
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('409')]);
    await page().keyboard.press('Escape');
    await page()
      .getByRole('link', { name: /GPT-5\.4/ })
      .click();
    await button('Delete').click();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Delete the model').click();
    await page().getByText('Add one that your provider serves.').waitFor();
    expect(await endpoints()).toEqual([]);
  });

  it('say at its field what is wrong (400), and keep what was filled in on another page', async () => {
    await context.ui.go('/models/own/new');
    await field('Model').fill('no/body');
    await field('Provider').fill('nobody');
    await field('Name at the server').fill('theirs');
    await field('Prompt').fill('cheap');
    await button('Add the model').click();
    await page().locator('[aria-invalid]').and(field('Prompt')).waitFor();
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await page().getByRole('link', { name: 'Overview' }).click();
    await context.ui.page.goBack();
    await heading('New model of your own').waitFor();
    expect([await field('Model').inputValue(), await field('Prompt').inputValue()]).toEqual(['no/body', 'cheap']);
  });

  it('are saved again as they were, and changed by the first (200) of two people and not by the second (412)', async () => {
    const { slug } = await newPrivateProvider(context.app, context.organization);
    const fields = { declared_zdr: true, declared_region: 'europe', base_url: 'http://127.0.0.1:9/v2' };
    const { id } = await newPrivateEndpoint(context.app, context.organization, slug, fields);
    const read = async (): Promise<object> =>
      (await context.app.api.get<{ data: object }>(`/private-endpoints/${id}`, management())).body.data;
    const before = await read();
    await context.ui.go(`/models/own/${id}`);
    await context.ui.save('The model was saved.');
    expect(await read()).toEqual(before);

    await context.ui.go(`/models/own/${id}`);
    await field('Name at the server').fill('mine');
    await context.app.api.patch(`/private-endpoints/${id}`, { ...management(), json: { upstream_model_id: 'new' } });
    await button('Save').click();
    await page().getByText('it has been changed meanwhile').waitFor();
    expect(await read()).toMatchObject({ upstream_model_id: 'new' });
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('412')]);
  });

  it('fit a window that is 320 pixels wide, and say what failed when they cannot be read (500)', async () => {
    await page().setViewportSize({ width: 320, height: 800 });
    const provider = { display_name: 'N'.repeat(100), slug: `s${'l'.repeat(60)}` };
    const { slug } = await newPrivateProvider(context.app, context.organization, provider);
    const { id } = await newPrivateEndpoint(context.app, context.organization, slug);
    for (const path of ['/models/own', '/models/own/new', `/models/own/${id}`]) {
      await context.ui.go(path);
      await page().waitForLoadState('networkidle');
      expect(await context.ui.overflows()).toBe(false);
      expect(await context.ui.barriers()).toEqual([]);
    }
    await page().route('**/api/v1/private-endpoints?*', (route) =>
      route.fulfill({ status: 500, json: { error: { message: 'Out of order' } } }),
    );
    await context.ui.go('/models/own');
    await page().getByRole('alert').getByText('Out of order').waitFor();
    expect(context.ui.complaints.splice(0).length).toBeGreaterThan(0);
  });
});

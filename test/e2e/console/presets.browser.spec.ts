import { fileOf } from '../configuration/configuration-interface.js';
import { consolePerTest } from './console-browser.js';

interface Version {
  readonly version: number;
  readonly config: object;
  readonly system_prompt: string | null;
}

const PROMPT = 'Be <b>brief</b>.\nBe kind.\nBe right.';

describe('the presets in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const field = (name: string) => page().getByLabel(name, { exact: true });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const heading = (name: string) => page().getByRole('heading', { name, exact: true });
  const changesOf = (version: number) => page().getByRole('region', { name: `What version ${version} has changed` });
  const management = () => ({ key: context.organization.managementKey });

  const made = async (slug: string, json: object, workspace = context.organization.workspaceId): Promise<void> => {
    const path = `/presets/${slug}/chat/completions?workspace_id=${workspace}`;
    await context.app.api.post(path, { ...management(), json });
  };

  const versionsOf = async (slug: string): Promise<Version[]> => {
    const path = `/presets/${slug}/versions?workspace_id=${context.organization.workspaceId}`;
    return (await context.app.api.get<{ data: Version[] }>(path, management())).body.data;
  };

  const pathOf = (slug: string): string => `/presets/${context.organization.workspaceId}/${slug}`;

  it('are created where the slug is free (404), and get versions that say what has changed, also from earlier ones', async () => {
    await context.ui.go('/presets');
    await page().getByText('The workspace has no presets yet.').waitFor();
    expect(await context.ui.calledOperations()).toEqual([
      'GET /organization/members',
      'GET /presets',
      'GET /workspaces',
    ]);
    await button('Create a preset').click();
    await heading('New preset').waitFor();
    await field('Slug').fill('support-bot');
    await field('Model').fill('gatehouse/ec');
    await page().locator('datalist option[value="gatehouse/echo"]').waitFor({ state: 'attached' });
    await field('Model').fill('gatehouse/echo');
    await page().getByRole('combobox', { name: 'Fallbacks' }).fill('anthropic/claude-haiku-4.5');
    await page().keyboard.press('Enter');
    await field('System prompt').fill(PROMPT);
    await page().getByRole('combobox', { name: 'First these, in this order' }).fill('openai');
    await button('Add to First these, in this order').click();
    await field('Sorted by').selectOption('latency');
    await field('Deny the collection of data').check();
    await field('Other parameters as JSON').fill('{"temperature": 0.2, "provider": {"max_price": {"prompt": 1}}}');
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create the preset').click();
    await heading('support-bot').waitFor();
    await changesOf(1).getByText('gatehouse/echo').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    const config = {
      model: 'gatehouse/echo',
      models: ['anthropic/claude-haiku-4.5'],
      temperature: 0.2,
      provider: { max_price: { prompt: 1 }, order: ['openai'], sort: 'latency', data_collection: 'deny' },
    };
    expect(await versionsOf('support-bot')).toMatchObject([{ version: 1, config, system_prompt: PROMPT }]);
    expect(await page().getByLabel('A request with curl').textContent()).toContain('"model": "@preset/support-bot"');
    // The question whether the slug is free.
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('404')]);

    await field('System prompt').fill(PROMPT.replace('kind', 'just'));
    await field('Other parameters as JSON').fill('{"provider": {"max_price": {"prompt": 2}}}');
    await button('Remove openai').click();
    await button('Save as the next version').click();
    await changesOf(2).waitFor();
    expect((await changesOf(2).locator('tbody tr').allTextContents()).sort()).toEqual([
      'provider.max_price.prompt12',
      'provider.order[\n  "openai"\n]not set',
      'system prompt…\nBe kind.\n……\nBe just.\n…',
      'temperature0.2not set',
    ]);
    expect(await versionsOf('support-bot')).toMatchObject([
      { version: 1, config },
      { version: 2, system_prompt: PROMPT.replace('kind', 'just') },
    ]);

    await page().getByText('Version 1', { exact: true }).click();
    await button('Fill the form with version 1').click();
    expect(await field('System prompt').inputValue()).toBe(PROMPT);
    expect(await versionsOf('support-bot')).toHaveLength(2);
    await button('Save as the next version').click();
    await changesOf(3).waitFor();
    expect((await versionsOf('support-bot'))[2]).toMatchObject({ version: 3, config, system_prompt: PROMPT });
    expect(await context.ui.barriers()).toEqual([]);
  });

  it('are those of one workspace, and say which of them files configure', async () => {
    const { app, organization } = context;
    const workspace = await app.factory.workspace(organization);
    await made('other', {}, workspace);
    const { body } = await app.api.post<{ data: object }>('/configuration/apply', {
      ...management(),
      json: { files: [fileOf({ presets: [{ slug: 'smart', config: { model: 'gatehouse/echo' } }] })] },
    });
    expect(body.data).toMatchObject({ owner: 'platform' });
    await context.ui.go('/presets');
    await page().locator('tbody tr', { hasText: '@preset/smart' }).getByText('files of platform').waitFor();
    expect(await page().locator('tbody tr').count()).toBe(1);
    await page().getByRole('link', { name: 'smart' }).click();
    await page().getByText('Files of platform configure this').waitFor();

    await context.ui.go(`/presets?workspace=${workspace}`);
    await page().getByRole('link', { name: 'other', exact: true }).waitFor();
    expect(await page().locator('tbody tr').count()).toBe(1);
  });

  it('say at its field what is wrong with a model and a slug (400), and before it is sent with the JSON', async () => {
    const invalid = (name: string) => page().locator('[aria-invalid]').and(field(name));
    await made('taken', {});
    await context.ui.go('/presets/new');
    await field('Slug').fill('taken');
    await button('Create the preset').click();
    await invalid('Slug').waitFor();
    await page().getByRole('alert').getByText('is that of another preset of the workspace').waitFor();
    expect(await versionsOf('taken')).toHaveLength(1);

    await field('Slug').fill('Not a slug');
    await button('Create the preset').click();
    await page().getByRole('alert').getByText('is that of another').waitFor({ state: 'detached' });
    await invalid('Slug').waitFor();
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400')]);

    await context.ui.go(pathOf('taken'));
    await field('Model').fill('acme/no-such-model');
    await button('Save as the next version').click();
    await invalid('Model').waitFor();
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    for (const [json, issue] of [
      ['{"temperature": ', 'must be JSON'],
      ['[]', 'must be an object'],
      ['{"messages": []}', 'cannot have messages'],
    ] as const) {
      await field('Other parameters as JSON').fill(json);
      await button('Save as the next version').click();
      await page().getByRole('alert').getByText(issue).waitFor();
      expect(await field('Other parameters as JSON').getAttribute('aria-invalid')).toBe('true');
    }
    expect(await context.ui.barriers()).toEqual([]);
    expect(await versionsOf('taken')).toHaveLength(1);
  });

  it('get no version over that of someone who was faster', async () => {
    await made('bot', { temperature: 0 });
    await context.ui.go(pathOf('bot'));
    await field('Model').fill('gatehouse/echo');
    await made('bot', { temperature: 1 });
    await button('Save as the next version').click();
    await page().getByText('Nothing was done: it has been changed meanwhile.').waitFor();
    await changesOf(2).waitFor();
    expect(await versionsOf('bot')).toMatchObject([{ config: { temperature: 0 } }, { config: { temperature: 1 } }]);
  });

  it('show ten versions at once, each with what it has changed', async () => {
    const versions = Array.from({ length: 12 }, (_, temperature) => ({ temperature }));
    await context.app.factory.preset(context.organization, context.organization.workspaceId, 'bot', versions);
    await context.ui.go(pathOf('bot'));
    await changesOf(12).getByText('11').waitFor();
    const summaries = page().locator('.plain-list > li > details > summary');
    expect(await summaries.allTextContents()).toEqual([
      'Version 12 In force',
      ...[11, 10, 9, 8, 7, 6, 5, 4, 3].map((number) => `Version ${number} `),
    ]);
    await page().getByText('Version 3', { exact: true }).click();
    await changesOf(3).waitFor();
    expect(await changesOf(3).locator('tbody tr').textContent()).toBe('temperature12');
    await button('Next').click();
    await page().getByText('Version 1', { exact: true }).waitFor();
    expect(await summaries.allTextContents()).toEqual(['Version 2 ', 'Version 1 ']);
  });

  it('fit a window that is 320 pixels wide, and say what failed when they cannot be read (500)', async () => {
    await page().setViewportSize({ width: 320, height: 800 });
    const slug = 's'.repeat(100);
    await made(slug, { model: 'gatehouse/echo', messages: [{ role: 'system', content: 'p'.repeat(900) }] });
    for (const path of ['/presets', '/presets/new', pathOf(slug)]) {
      await context.ui.go(path);
      await page().waitForLoadState('networkidle');
      expect(await context.ui.overflows()).toBe(false);
      expect(await context.ui.barriers()).toEqual([]);
    }
    await page().route('**/api/v1/presets?*', (route) =>
      route.fulfill({ status: 500, json: { error: { message: 'Out of order' } } }),
    );
    await context.ui.go('/presets');
    await page().getByRole('alert').getByText('Out of order').waitFor();
    expect(context.ui.complaints.splice(0).length).toBeGreaterThan(0);
  });
});

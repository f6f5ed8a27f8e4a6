import { consolePerTest } from './console-browser.js';

interface OwnKey {
  readonly id: string;
  readonly name: string | null;
  readonly disabled: boolean;
}

const SECRET = 'sk-own-LOOK-FOR-ME-0123456789';

describe('the own provider keys in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const field = (name: string) => page().getByLabel(name, { exact: true });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const management = () => ({ key: context.organization.managementKey });

  const keys = async (query = ''): Promise<OwnKey[]> =>
    (await context.app.api.get<{ data: OwnKey[] }>(`/byok${query}`, management())).body.data;

  const made = async (fields: object = {}): Promise<OwnKey> => {
    const json = { provider: 'openai', key: SECRET, name: 'Production', ...fields };
    return (await context.app.api.post<{ data: OwnKey }>('/byok', { ...management(), json })).body.data;
  };

  it('are added with suggestions and restrictions, disabled, changed and deleted', async () => {
    const api = await context.app.factory.key(context.organization, { name: 'For search' });
    await context.ui.go('/providers/keys');
    await page().getByText('has no keys of its own yet').waitFor();
    expect(await context.ui.calledOperations()).toEqual(['GET /byok', 'GET /workspaces']);
    expect(await context.ui.barriers()).toEqual([]);

    await button('Add a key').click();
    await page().getByRole('heading', { name: 'New key of your own' }).waitFor();
    await field('Provider').focus();
    await page().locator('datalist option[value="openai"]').waitFor({ state: 'attached' });
    await field('Provider').fill('openai');
    await field('Key').fill(SECRET);
    await field('Name').fill('Own <b>key</b>');
    await field('Fallback').check();
    await field('Only for these models').fill('gatehouse/ec');
    await page().locator('datalist option[value="gatehouse/echo"]').waitFor({ state: 'attached' });
    await field('Only for these models').fill('gatehouse/echo');
    await page().keyboard.press('Enter');
    await field('Only for these members').fill(context.organization.userId);
    await button('Add to Only for these members').click();
    await field('Only for these API keys').fill(api.hash);
    await page().keyboard.press('Enter');
    expect(await context.ui.barriers()).toEqual([]);
    await button('Add the key').click();
    await page().getByRole('link', { name: 'Own <b>key</b>' }).waitFor();
    expect(await page().content()).not.toContain(SECRET);
    const [added] = await keys();
    expect(added).toMatchObject({
      provider: 'openai',
      name: 'Own <b>key</b>',
      is_fallback: true,
      disabled: false,
      allowed_models: [expect.stringMatching(/^gatehouse\/echo/)],
      allowed_user_ids: [context.organization.userId],
      allowed_api_key_hashes: [api.hash],
    });
    expect(await page().locator('tbody tr').textContent()).toMatch(
      /after the deployment’s.*1 models, 1 members, 1 API keys/,
    );

    await button('Disable Own <b>key</b> for openai').click();
    await page().getByText('Disabled', { exact: true }).waitFor();
    await page().getByRole('link', { name: 'Own <b>key</b>' }).click();
    expect(await field('Disabled').isChecked()).toBe(true);
    await field('Disabled').uncheck();
    await field('Name').fill('Renamed');
    await button(`Remove ${(added as unknown as { allowed_models: string[] }).allowed_models[0]!}`).click();
    await button('Save').click();
    await page().getByRole('heading', { name: 'Renamed for openai' }).waitFor();
    expect(await keys()).toMatchObject([{ name: 'Renamed', disabled: false, is_fallback: true, allowed_models: null }]);
    expect(await context.ui.barriers()).toEqual([]);

    await page().getByRole('link', { name: 'Own keys' }).click();
    await button('Delete Renamed for openai').click();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Delete the key').click();
    await page().getByText('has no keys of its own yet').waitFor();
    expect(await keys()).toEqual([]);
  });

  it('say at its field what is wrong (400), and keep what was filled in on another page, but never the secret', async () => {
    await context.ui.go('/providers/keys/new');
    await field('Provider').fill('no-such-provider');
    await field('Key').fill(SECRET);
    await field('Fallback').check();
    await field('Own keys only').check();
    await button('Add the key').click();
    await page().getByRole('alert').waitFor();
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    const invalid = await page().locator('[aria-invalid]').count();
    expect(invalid).toBeGreaterThan(0);

    await page().getByRole('link', { name: 'Own keys' }).click();
    await button('Add a key').click();
    await page().getByRole('heading', { name: 'New key of your own' }).waitFor();
    expect([await field('Provider').inputValue(), await field('Key').inputValue()]).toEqual(['no-such-provider', '']);
    expect(await keys()).toEqual([]);
  });

  it('are those of one workspace, and are changed by the first (200) of two people and not by the second (412)', async () => {
    const workspace = await context.app.factory.workspace(context.organization);
    const { id } = await made({ workspace_id: workspace });
    await made({ name: 'Other' });
    await context.ui.go(`/providers/keys?workspace=${workspace}`);
    await page().getByRole('link', { name: 'Production' }).click();
    await field('Name').fill('Mine');
    await context.app.api.patch(`/byok/${id}`, { ...management(), json: { name: 'Theirs' } });
    await button('Save').click();
    await page().getByRole('heading', { name: 'Theirs for openai' }).waitFor();
    expect(await keys(`?workspace_id=${workspace}`)).toMatchObject([{ name: 'Theirs' }]);
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('412')]);
  });

  it('fit a window that is 320 pixels wide, and say what failed when they cannot be read (500)', async () => {
    await page().setViewportSize({ width: 320, height: 800 });
    await made({ name: 'N'.repeat(200) });
    await context.ui.go('/providers/keys');
    await page()
      .getByRole('link', { name: 'N'.repeat(200) })
      .click();
    await button('Save').waitFor();
    expect(await context.ui.overflows()).toBe(false);
    await page().route('**/api/v1/byok?*', (route) =>
      route.fulfill({ status: 500, json: { error: { message: 'Out of order' } } }),
    );
    await context.ui.go('/providers/keys');
    await page().getByRole('alert').getByText('Out of order').waitFor();
    expect(await context.ui.overflows()).toBe(false);
    expect(context.ui.complaints.splice(0).length).toBeGreaterThan(0);
  });
});

import { fileOf } from '../configuration/configuration-interface.js';
import { ConsoleBrowser, consolePerTest } from './console-browser.js';

describe('what files configure, in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });

  const apply = async (lists: object): Promise<void> => {
    const { body } = await context.app.api.post<{ data: object }>('/configuration/apply', {
      key: context.organization.managementKey,
      json: { files: [fileOf(lists)] },
    });
    expect(body.data).toMatchObject({ owner: 'platform', conflicts: [] });
  };

  const shown = async <Body>(path: string): Promise<Body> =>
    (await context.app.api.get<{ data: Body }>(path, { key: context.organization.managementKey })).body.data;

  const LIMIT = { name: 'Agents', measure: 'requests', window: 'daily', amount: 5 };

  it('is marked in lists and pages, by one request for all of a page', async () => {
    await apply({
      limits: [LIMIT, { ...LIMIT, name: 'Others' }],
      guardrails: [{ name: 'Checkout' }],
      keys: [{ name: 'ci' }],
      inspectors: [{ name: 'Guard', url: 'https://guard.example.com', api_key: null }],
      mcp_servers: [{ name: 'github', url: 'https://mcp.example.com/mcp' }],
      destinations: [{ name: 'Hook', type: 'webhook', config: { url: 'https://hooks.example.com' } }],
      alerts: [{ name: 'Near', kind: 'budget', destination: 'Hook' }],
      workspaces: [{ slug: 'production', name: 'Production', budgets: { daily: 5 } }],
    });
    await context.app.factory.key(context.organization, { name: 'mine' });
    for (const list of [
      'limits',
      'guardrails',
      'keys',
      'inspectors',
      'mcp-servers',
      'destinations',
      'alerts',
      'budgets',
      'workspaces',
    ]) {
      await context.ui.go(`/${list}`);
      await page().getByText('files of platform').first().waitFor();
      expect(
        (await context.ui.calledOperations()).filter((call) => call === 'GET /configuration/objects'),
      ).toHaveLength(1);
    }
    await context.ui.go('/keys');
    await page().getByText('files of platform').waitFor();
    expect(await page().locator('tbody tr', { hasText: 'mine' }).getByText('files of').count()).toBe(0);
    expect(await context.ui.barriers()).toEqual([]);
    await page().getByRole('link', { name: 'ci' }).click();
    await page().getByText('Files of platform configure this (gatehouse.yaml).').waitFor();
  });

  it('is changed only when the person says so once more, and is marked as changed then', async () => {
    await apply({ limits: [LIMIT] });
    await context.ui.go('/limits');
    await page().getByRole('link', { name: 'Agents' }).click();
    await button('Edit').click();
    await page().getByLabel('Amount', { exact: true }).fill('7');
    await button('Save').click();
    await button('Do it nevertheless').waitFor();
    expect(await shown('/limits')).toMatchObject([{ amount: 5 }]);
    expect(await context.ui.barriers()).toEqual([]);

    await button('Do it nevertheless').click();
    await page().getByText('It was changed by other means').waitFor();
    await page().getByText('7 requests a day').waitFor();
    expect(await shown('/limits')).toMatchObject([{ amount: 7 }]);
    expect(await page().locator('dialog').count()).toBe(0);

    // It holds for one change alone.
    await button('Delete').click();
    await button('Delete the limit').click();
    await button('Do it nevertheless').waitFor();
    expect(await shown('/limits')).toHaveLength(1);
    await button('Do it nevertheless').click();
    await page().getByText('There are no limits').waitFor();
    expect(await shown('/limits')).toEqual([]);
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('409'), expect.stringContaining('409')]);
  });

  it('is asked about on the page of a workspace too (409), and changed when the person says so once more', async () => {
    await apply({ workspaces: [{ slug: 'production', name: 'Production' }] });
    await context.ui.go('/workspaces/production');
    await page().getByText('Files of platform configure this (gatehouse.yaml).').waitFor();
    await page().getByLabel('Description').fill('Ours');
    await button('Save').click();
    await button('Do it nevertheless').click();
    await page().getByText('It was changed by other means').waitFor();
    expect(await shown('/workspaces/production')).toMatchObject({ description: 'Ours' });
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('409')]);
  });

  it('is enabled again outside of a form when the person says so once more', async () => {
    await apply({ keys: [{ name: 'ci' }] });
    const [key] = await shown<{ hash: string }[]>('/keys');
    await context.ui.go(`/keys/${key!.hash}`);
    // To take a key out of use waits for no files.
    await button('Disable').click();
    await button('Enable').click();
    await button('Do it nevertheless').click();
    await button('Disable').waitFor();
    expect(await shown(`/keys/${key!.hash}`)).toMatchObject({ disabled: false });
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('409')]);
  });

  it('gets another owner when the person says so once more: a key, and all keys of a member', async () => {
    await apply({ keys: [{ name: 'ci' }] });
    const { organizationId, userId } = context.organization;
    const other = await context.app.factory.member(organizationId);
    const [key] = await shown<{ hash: string }[]>('/keys');
    const ownerOf = async (): Promise<string> =>
      (await shown<{ creator_user_id: string }>(`/keys/${key!.hash}`)).creator_user_id;
    await context.ui.go(`/keys/${key!.hash}`);
    await button('Transfer').click();
    await page().getByLabel('New owner').selectOption(other);
    await button('Transfer the key').click();
    await button('Do it nevertheless').waitFor();
    expect(await ownerOf()).toBe(userId);
    await button('Do it nevertheless').click();
    await page().getByText('It was changed by other means').waitFor();
    expect(await ownerOf()).toBe(other);

    await context.ui.go(`/members/${other}`);
    await button('Transfer keys').click();
    await page().getByLabel('New owner').selectOption(userId);
    await button('Transfer the keys').click();
    await button('Do it nevertheless').click();
    await page().locator('dialog').waitFor({ state: 'detached' });
    expect(await ownerOf()).toBe(userId);
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('409'), expect.stringContaining('409')]);
  });

  it('has no mark for people who see only what is their own, and nothing is asked for them', async () => {
    await apply({ keys: [{ name: 'ci' }] });
    const userId = await context.app.factory.member(context.organization.organizationId);
    const member = { ...context.organization, userId };
    await context.app.factory.key(member, { name: 'mine' });
    const theirs = await ConsoleBrowser.open(context.browser, context.app, member);
    await theirs.go('/keys');
    await theirs.page.getByRole('link', { name: 'mine' }).waitFor();
    expect(await theirs.calledOperations()).not.toContain('GET /configuration/objects');
    await theirs.close();
  });
});

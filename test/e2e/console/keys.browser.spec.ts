import { ConsoleBrowser, consolePerTest } from './console-browser.js';
import type { Key } from '../../../src/modules/keys/dto/key.dto.js';

describe('the keys in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;

  const keysOfOrganization = async (): Promise<readonly Key[]> => {
    const { managementKey: key } = context.organization;
    const { body } = await context.app.api.get<{ data: Key[] }>('/keys?include_disabled=true', { key });
    return body.data;
  };

  const createKey = async (name: string): Promise<string> => {
    await page().getByRole('button', { name: 'Create a key' }).click();
    await page().getByLabel('Name', { exact: true }).fill(name);
    await page().getByRole('button', { name: 'Create the key' }).click();
    const secret = await page().locator('.secret code').textContent();
    await page().getByRole('button', { name: 'I have kept it' }).click();
    return secret!;
  };

  it('are made with a limit, and the secret that is shown once calls a model (200)', async () => {
    await context.ui.go('/keys');
    await page().getByText('There are no keys yet.').waitFor();
    await page().getByRole('button', { name: 'Create a key' }).click();
    await page().getByLabel('Name', { exact: true }).fill('Robot <b>1</b>');
    await page().getByLabel('Spending limit in US dollars').fill('12.5');
    await page().getByLabel('The limit resets').selectOption('monthly');
    expect(await context.ui.barriers()).toEqual([]);
    await page().keyboard.press('Enter');
    const secret = await page().locator('.secret code').textContent();
    expect(await context.ui.barriers()).toEqual([]);
    await page().getByRole('button', { name: 'I have kept it' }).click();

    await page().getByRole('link', { name: 'Robot <b>1</b>' }).waitFor();
    expect(await page().locator('tbody').textContent()).toContain('$0.00 of $12.50 monthly');
    expect(await page().content()).not.toContain(secret!);
    expect(await keysOfOrganization()).toMatchObject([{ name: 'Robot <b>1</b>', limit: 12.5, limit_reset: 'monthly' }]);
    const answer = await context.app.api.get('/key', { key: secret! });
    expect(answer.status).toBe(200);
  });

  it('are shown of all workspaces in one table with one request for the list, and filtered by the address', async () => {
    const other = await context.app.factory.workspace(context.organization, 'other');
    for (const workspace_id of [context.organization.workspaceId, other]) {
      const json = { name: `In ${workspace_id === other ? 'other' : 'default'}`, workspace_id };
      await context.app.api.post('/keys', { key: context.organization.managementKey, json });
    }

    await context.ui.go('/keys');
    await page().getByRole('link', { name: 'In other' }).waitFor();
    expect(await page().locator('tbody tr').count()).toBe(2);
    expect(await context.ui.calledOperations()).toEqual([
      'GET /configuration/objects',
      'GET /keys',
      'GET /organization/members',
      'GET /workspaces',
    ]);
    expect(await context.ui.barriers()).toEqual([]);

    await page().getByLabel('Workspace').selectOption({ label: 'other' });
    await page().waitForURL(/workspace=/);
    await page().getByRole('link', { name: 'In default' }).waitFor({ state: 'detached' });
    await page().reload();
    await page().getByRole('link', { name: 'In other' }).waitFor();
    expect(await page().locator('tbody tr').count()).toBe(1);
    await page().getByLabel('Search').fill('default');
    await page().getByText('Nothing matches the filters.').waitFor();
    expect(new URL(page().url()).searchParams.get('search')).toBe('default');
    await page().getByRole('button', { name: 'Clear filters' }).click();
    await page().getByRole('link', { name: 'In default' }).waitFor();
    expect(new URL(page().url()).search).toBe('');
  });

  it('are rotated with a grace period, after which both secrets are accepted (200)', async () => {
    await context.ui.go('/keys');
    const before = await createKey('Rotated');
    await page().getByRole('link', { name: 'Rotated' }).click();
    await page().getByRole('button', { name: 'Rotate' }).click();
    await page().getByLabel('The old secret ends').selectOption('3600');
    await page().getByRole('button', { name: 'Make a new secret' }).click();
    const after = (await page().locator('.secret code').textContent())!;
    await page().getByRole('button', { name: 'I have kept it' }).click();

    expect(after).not.toBe(before);
    for (const key of [before, after]) expect((await context.app.api.get('/key', { key })).status).toBe(200);
    const [key] = await keysOfOrganization();
    await page().waitForURL(new RegExp(key!.hash));
    await page().getByText('Guardrails that apply').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
  });

  it('are disabled, enabled, edited and deleted', async () => {
    await context.ui.go('/keys');
    await createKey('Old');
    await page().getByRole('link', { name: 'Old' }).click();

    await page().getByRole('button', { name: 'Disable' }).click();
    await page().getByRole('status').getByText('The key is disabled').waitFor();
    expect(await keysOfOrganization()).toMatchObject([{ disabled: true }]);
    await page().getByRole('button', { name: 'Enable' }).click();
    await page().getByRole('button', { name: 'Disable' }).waitFor();

    await page().getByRole('button', { name: 'Edit' }).click();
    await page().getByLabel('Name', { exact: true }).fill('New');
    await page().getByRole('button', { name: 'Save' }).click();
    await page().getByRole('heading', { name: 'New', exact: true }).waitFor();
    // The focus is where the dialog was opened.
    expect(await page().locator(':focus').textContent()).toBe('Edit');

    await page().getByRole('button', { name: 'Delete' }).click();
    await page().getByRole('button', { name: 'Delete the key' }).click();
    await page().getByText('There are no keys yet.').waitFor();
    expect(await keysOfOrganization()).toEqual([]);
  });

  it('get labels and a bound end user, which are shown, refused with a 400 at their field, and taken away', async () => {
    await context.ui.go('/keys');
    await createKey('Labelled');
    await page().getByRole('link', { name: 'Labelled' }).click();
    const button = (name: string) => page().getByRole('button', { name, exact: true });
    const labels = page().getByRole('textbox', { name: 'Labels of all requests with the key' });
    await button('Edit').click();
    await page().getByText('Labels and end user').click();
    await labels.fill('team=search\nno name=x');
    await page().getByLabel('Only end user').fill('customer-7');
    await page().getByText('Addresses of clients').click();
    await page().getByLabel('Allowed addresses, one a line').fill('203.0.113.0/24\n2001:db8::1');
    expect(await context.ui.barriers()).toEqual([]);
    await button('Save').click();
    await page().getByRole('alert').waitFor();
    expect(await labels.getAttribute('aria-invalid')).toBe('true');
    // The browser writes every 400 into its console.
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await labels.fill('team=search\nratio = 1=2');
    await button('Save').click();
    await page().getByText('team=search, ratio=1=2').waitFor();
    await page().getByText('customer-7').waitFor();
    await page().getByText('203.0.113.0/24, 2001:db8::1/128').waitFor();
    const set = {
      labels: { team: 'search', ratio: '1=2' },
      bound_user: 'customer-7',
      allowed_addresses: ['203.0.113.0/24', '2001:db8::1/128'],
    };
    expect(await keysOfOrganization()).toMatchObject([set]);

    await button('Edit').click();
    expect(await labels.inputValue()).toBe('team=search\nratio=1=2');
    await labels.fill('');
    await page().getByLabel('Only end user').fill('');
    await page().getByLabel('Allowed addresses, one a line').fill('');
    await button('Save').click();
    await page().getByText('customer-7').waitFor({ state: 'detached' });
    const [key] = await keysOfOrganization();
    expect([key!.labels, key!.bound_user, key!.allowed_addresses]).toEqual([undefined, undefined, null]);
  });

  it('are not changed over a change that was made meanwhile (412), which is said, and are after a look at it', async () => {
    await context.ui.go('/keys');
    await createKey('Shared');
    await page().getByRole('link', { name: 'Shared' }).click();
    await page().getByRole('button', { name: 'Edit' }).click();
    await page().getByLabel('Spending limit').fill('1000');
    const [{ hash }] = (await keysOfOrganization()) as [Key];
    const elsewhere = { key: context.organization.managementKey, json: { name: 'Renamed', limit: 10 } };
    await context.app.api.patch(`/keys/${hash}`, elsewhere);

    await page().getByRole('button', { name: 'Save' }).click();
    await page().getByRole('alert').getByText('it has been changed meanwhile').waitFor();
    expect(await keysOfOrganization()).toMatchObject([{ name: 'Renamed', limit: 10 }]);
    // The browser writes every 412 into its console.
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('412')]);
    await page().getByRole('button', { name: 'Cancel' }).click();
    await page().getByRole('heading', { name: 'Renamed', exact: true }).waitFor();

    await page().getByRole('button', { name: 'Edit' }).click();
    await page().getByLabel('Spending limit').fill('20');
    await page().getByRole('button', { name: 'Save' }).click();
    await page().getByRole('dialog').waitFor({ state: 'detached' });
    expect(await keysOfOrganization()).toMatchObject([{ name: 'Renamed', limit: 20 }]);
  });

  it('get another owner', async () => {
    const next = await context.app.factory.member(context.organization.organizationId);
    await context.ui.go('/keys');
    await createKey('Handed on');
    await page().getByRole('link', { name: 'Handed on' }).click();
    await page().getByRole('button', { name: 'Transfer' }).click();
    await page().getByLabel('New owner').selectOption(next);
    expect(await context.ui.barriers()).toEqual([]);
    await page().getByRole('button', { name: 'Transfer the key' }).click();
    await page().getByRole('dialog').waitFor({ state: 'detached' });
    expect(await keysOfOrganization()).toMatchObject([{ creator_user_id: next }]);
  });

  it('are not made with an expiry in the past (400), which is said at its field, and nothing that was typed is lost', async () => {
    await context.ui.go('/keys');
    await page().getByRole('button', { name: 'Create a key' }).click();
    await page().getByLabel('Name', { exact: true }).fill('Late');
    const expiry = page().getByLabel('Expires');
    await expiry.fill('2001-01-01T00:00');
    await page().getByRole('button', { name: 'Create the key' }).click();
    await page().getByRole('alert').waitFor();

    expect(await expiry.getAttribute('aria-invalid')).toBe('true');
    expect(await page().getByLabel('Name', { exact: true }).inputValue()).toBe('Late');
    expect(await keysOfOrganization()).toEqual([]);
    // The browser writes every 400 into its console.
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
  });

  it('are reached, and made, with the keyboard alone', async () => {
    await context.ui.go('/keys');
    await page().getByText('There are no keys yet.').waitFor();
    await page().keyboard.press('Tab');
    expect(await page().locator(':focus').textContent()).toBe('Skip to the content');
    await page().keyboard.press('Enter');
    await page().keyboard.press('Tab');
    expect(await page().locator(':focus').textContent()).toBe('Create a key');
    await page().keyboard.press('Enter');
    await page().getByRole('dialog').waitFor();
    await page().keyboard.press('Escape');
    await page().getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page().locator(':focus').textContent()).toBe('Create a key');
  });

  it('leave room for what stands beside a name of 200 letters without a space', async () => {
    const json = { name: 'N'.repeat(200), limit: 10 };
    await context.app.api.post('/keys', { key: context.organization.managementKey, json });
    await context.ui.go('/keys');
    await page().getByText('N'.repeat(200)).waitFor();
    const [inner, outer] = ['scrollWidth', 'clientWidth'].map((width) =>
      page().evaluate<number>(`document.querySelector('.table-scroll').${width}`),
    );
    expect(await inner).toBe(await outer);
  });

  it('can be read in a window that is 320 pixels wide', async () => {
    const narrow = await ConsoleBrowser.open(context.browser, context.app, context.organization, 320);
    try {
      const json = { name: 'A'.repeat(100), limit: 10 };
      await context.app.api.post('/keys', { key: context.organization.managementKey, json });
      await narrow.go('/keys');
      await narrow.page.locator('tbody a').click();
      await narrow.page.getByText('Guardrails that apply').waitFor();

      expect(await narrow.overflows()).toBe(false);
      await narrow.page.getByRole('button', { name: 'Edit' }).click();
      expect(await narrow.overflows()).toBe(false);
      expect(narrow.complaints).toEqual([]);
    } finally {
      await narrow.close();
    }
  });
});

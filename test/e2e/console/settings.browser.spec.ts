import type { ManagementKey } from '../../../src/modules/keys/management-keys/management-key.dto.js';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { SignInLinksService } from '../../../src/modules/sign-in/links/sign-in-links.service.js';
import { consolePerTest } from './console-browser.js';

describe('the settings in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });

  const managementKey = async (name: string): Promise<ManagementKey | undefined> => {
    const { managementKey: key } = context.organization;
    const { body } = await context.app.api.get<{ data: ManagementKey[] }>('/management-keys', { key });
    return body.data.find((candidate) => candidate.name === name);
  };

  const keepSecret = async (): Promise<string> => {
    const secret = (await page().locator('.secret code').textContent())!;
    await button('I have kept it').click();
    return secret;
  };

  it('make management keys that are restricted (200, 403), narrow, rotate, disable (401) and revoke them', async () => {
    const { app } = context;
    const statusOf = async (path: string, key: string): Promise<number> => (await app.api.get(path, { key })).status;
    await context.ui.go('/settings');
    await page().getByRole('link', { name: 'Management keys' }).click();
    await page().locator('tbody tr').waitFor();
    expect((await context.ui.calledOperations()).filter((call) => call.includes('management-keys'))).toEqual([
      'GET /management-keys',
    ]);
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create a management key').click();
    await page().getByLabel('Name', { exact: true }).fill('Reports');
    await page().getByLabel('It may do').selectOption('some');
    await page().getByLabel('keys_read', { exact: true }).check();
    await page().getByLabel('usage_read').check();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create the key').click();
    const first = await keepSecret();
    expect([await statusOf('/keys', first), await statusOf('/guardrails', first)]).toEqual([200, 403]);

    await page().getByRole('link', { name: 'Reports' }).click();
    await button('Restrict').click();
    await page().getByLabel('keys_read', { exact: true }).uncheck();
    await button('Save').click();
    await page().getByText('The key was saved.').waitFor();
    expect(await managementKey('Reports')).toMatchObject({ scopes: ['usage_read'] });
    expect(await statusOf('/keys', first)).toBe(403);
    expect(await context.ui.barriers()).toEqual([]);

    await button('Rotate').click();
    await page().getByLabel('The old secret ends').selectOption('0');
    await button('Make a new secret').click();
    const second = await keepSecret();
    expect([await statusOf('/credits', first), await statusOf('/credits', second)]).toEqual([401, 200]);
    await button('Disable').click();
    await button('Enable').waitFor();
    expect(await statusOf('/credits', second)).toBe(401);

    await button('Revoke').click();
    await button('Revoke the key').click();
    await page().getByRole('heading', { name: 'Management keys' }).waitFor();
    await page().getByRole('link', { name: 'Reports' }).waitFor({ state: 'detached' });
    expect(await managementKey('Reports')).toBeUndefined();
  });

  it('make no management key long after the sign-in (403), and what was filled in is sent after another one (201)', async () => {
    const { app, organization } = context;
    await context.ui.go('/settings/management-keys');
    await app.rows(`UPDATE sessions SET authenticated_at = now() - interval '16 minutes' WHERE organization_id = $1`, [
      organization.organizationId,
    ]);
    await button('Create a management key').click();
    await page().getByLabel('Name', { exact: true }).fill('Kept');
    await button('Create the key').click();
    const again = page().getByRole('alert').getByRole('link');
    await again.waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    // The browser writes every 403 into its console.
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('403')]);
    const [beside] = await Promise.all([page().waitForEvent('popup'), again.click()]);
    await beside.waitForURL(/auth\/login/);
    const { pathname, searchParams } = new URL(beside.url());
    expect([pathname, ...searchParams]).toEqual([
      '/auth/login',
      ['organization', organization.organizationId],
      ['step_up', 'true'],
      ['return_to', '/console/settings/management-keys'],
    ]);
    const { organizationId, userId } = organization;
    await beside.goto(
      app.origin + (await app.application.get(SignInLinksService).create(COMMAND_LINE, organizationId, userId)),
    );
    await beside.getByRole('button', { name: 'Sign in' }).click();
    await beside.getByRole('navigation', { name: 'Pages' }).waitFor();
    await beside.close();

    await button('Create the key').click();
    await keepSecret();
    expect(await managementKey('Kept')).toMatchObject({ name: 'Kept', scopes: null });
  });

  it('add an identity provider with the redirect URI to register, change it, refuse a stale change (412) and remove it (404)', async () => {
    const { app, organization } = context;
    const key = organization.managementKey;
    await context.ui.go('/settings/sign-in');
    await page().getByText('There is no identity provider yet.').waitFor();
    await page().getByText(`${app.origin}/auth/callback`).waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Add an identity provider').click();
    await page().getByLabel('Name', { exact: true }).fill('Okta <b>');
    await page().getByLabel('Issuer').fill('https://example.okta.com');
    await page().getByLabel('Client ID').fill('client');
    await page().getByLabel('Client secret').fill('a-secret-of-the-client');
    await page().getByLabel('Claim that decides about roles').fill('groups');
    await page().getByLabel('Its values that make an administrator').fill('Admins\nOwners');
    expect(await context.ui.barriers()).toEqual([]);
    await button('Add the identity provider').click();
    await page().getByRole('link', { name: 'Okta <b>' }).click();
    await button('Edit').click();

    const { body } = await app.api.get<{ data: { id: string }[] }>('/sign-in/connections', { key });
    const path = `/sign-in/connections/${body.data[0]!.id}`;
    const connection = async (): Promise<unknown> => (await app.api.get(path, { key })).body;
    expect(await connection()).toMatchObject({
      data: { issuer: 'https://example.okta.com', has_client_secret: true, admin_values: ['Admins', 'Owners'] },
    });
    await app.api.patch(path, { key, json: { name: 'Okta' } });
    await page().getByLabel('Who signs in for the first time').check();
    await button('Save').click();
    await page().getByRole('alert').getByText('it has been changed meanwhile').waitFor();
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('412')]);
    await button('Cancel').click();
    await page().getByRole('heading', { name: 'Okta', exact: true }).waitFor();
    await button('Edit').click();
    await page().getByLabel('Who signs in for the first time').check();
    await button('Save').click();
    await page().getByText('The identity provider was saved.').waitFor();
    // It is changed again as it is now.
    await page().locator('.facts > div', { hasText: 'Makes members' }).getByText('Yes', { exact: true }).waitFor();
    expect(await connection()).toMatchObject({
      data: { name: 'Okta', creates_members: true, has_client_secret: true },
    });
    expect(await page().content()).not.toContain('a-secret-of-the-client');
    await button('Disable').click();
    await button('Enable').waitFor();
    expect(await connection()).toMatchObject({ data: { enabled: false } });
    expect(await context.ui.barriers()).toEqual([]);

    await button('Remove').click();
    await button('Remove the identity provider').click();
    await page().getByText('There is no identity provider yet.').waitFor();
    expect((await app.api.get(path, { key })).status).toBe(404);
  });

  it('say who may allow applications a key, and up to which limit', async () => {
    const { app, organization } = context;
    await context.ui.go('/settings');
    await page().getByLabel('Who may allow them a key').selectOption('administrators');
    await page().getByLabel('Highest limit of such a key').fill('12.5');
    await button('Save').click();
    await page().getByText('The settings were saved.').waitFor();
    const { body } = await app.api.get('/organization/settings', { key: organization.managementKey });
    expect(body).toMatchObject({ data: { consent_by: 'administrators', consent_maximum_limit: 12.5 } });
    expect(await context.ui.barriers()).toEqual([]);
  });

  it('can be read in a window that is 320 pixels wide', async () => {
    await page().setViewportSize({ width: 320, height: 900 });
    for (const path of ['/settings', '/settings/management-keys', '/settings/sign-in']) {
      await context.ui.go(path);
      await page().waitForLoadState('networkidle');
      expect([path, await context.ui.overflows()]).toEqual([path, false]);
    }
    await button('Add an identity provider').click();
    expect(await context.ui.overflows()).toBe(false);
  });
});

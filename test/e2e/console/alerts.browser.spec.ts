import { ALERT_KINDS, SCOPES } from '../../../src/modules/alerts/alert-kinds.js';
import type { Alert } from '../../../src/modules/alerts/dto/alert.dto.js';
import { newAlert, newWebhook } from '../../support/resources/alerts.js';
import { SECRET_MARK } from '../../support/resources/destination-samples.js';
import { newLimit } from '../../support/resources/limits.js';
import { consolePerTest } from './console-browser.js';

describe('the alerts in the console', () => {
  // Mails are only asked for: nobody takes them.
  const context = consolePerTest({
    SMTP_URL: 'smtp://127.0.0.1:9',
    SMTP_FROM: 'alerts@example.com',
    PUBLIC_URL: 'http://gatehouse.example.com',
  });
  const page = () => context.ui.page;
  const field = (name: string) => page().getByLabel(name, { exact: true });
  const addresses = () => page().getByRole('combobox', { name: 'E-mail addresses', exact: true });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const heading = (name: string) => page().getByRole('heading', { name, exact: true });
  const crumb = (name: string) => page().getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name });
  const management = () => ({ key: context.organization.managementKey });

  const alerts = async (): Promise<Alert[]> =>
    (await context.app.api.get<{ data: Alert[] }>('/alerts', management())).body.data;

  it('are created for a webhook and addresses, which are seen to confirm, changed, disabled and deleted', async () => {
    const { app, organization } = context;
    const webhook = await newWebhook(app, organization);
    await context.ui.go('/alerts');
    await page().getByText('There are no alerts yet. Create one').waitFor();
    expect(await context.ui.calledOperations()).toEqual(['GET /alerts', 'GET /workspaces']);
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create an alert').click();
    await heading('New alert').waitFor();
    await field('Name').fill('Budgets <b>near</b>');
    await field('Only of one').selectOption('workspace_id');
    await field('Workspace').selectOption(organization.workspaceId);
    await field('Shares of the limit, divided by commas').fill('0.5, 1.1');
    await field('Webhook').focus();
    await page().locator(`datalist option[value="${webhook}"]`).waitFor({ state: 'attached' });
    // People know what it is called, and the interface its id.
    const called = await page().locator(`datalist option[value="${webhook}"]`).getAttribute('label');
    await field('Webhook').fill(called!.toUpperCase());
    await addresses().fill('Ops@example.com');
    expect(await field('Webhook').inputValue()).toBe(webhook);
    expect(await page().locator('main').textContent()).not.toMatch(/\bnull\b|\babsent\b/i);
    await page().keyboard.press('Enter');
    await addresses().fill('cfo@example.com');
    await button('Add to E-mail addresses').click();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create the alert').click();
    await heading('Budgets <b>near</b>').waitFor();
    await heading('Addresses').waitFor();
    const [made] = await alerts();
    expect(made).toMatchObject({
      name: 'Budgets <b>near</b>',
      kind: 'budget',
      workspace_id: organization.workspaceId,
      thresholds: [0.5, 1.1],
      enabled: true,
      destination_id: webhook,
      recipients: [
        { email: 'cfo@example.com', confirmed_at: null },
        { email: 'ops@example.com', confirmed_at: null },
      ],
    });
    expect(await page().locator('.badge', { hasText: 'has not confirmed' }).count()).toBe(2);
    await page().getByText('at 50 %, 110 %').waitFor();
    expect(await page().content()).not.toContain(SECRET_MARK);
    expect(await context.ui.barriers()).toEqual([]);

    await app.rows(
      `UPDATE alert_recipients SET confirmed_at = now(), token_hash = NULL, token_expires_at = NULL
        WHERE organization_id = $1 AND email = 'ops@example.com'`,
      [organization.organizationId],
    );
    await page().reload();
    await page()
      .locator('.badge', { hasText: /^confirmed$/ })
      .waitFor();
    await field('Name').fill('Budgets');
    await field('Shares of the limit, divided by commas').fill('');
    await field('Webhook').fill('');
    await button('Remove cfo@example.com').click();
    await context.ui.save('The alert was saved.');
    await heading('Budgets').waitFor();
    expect(await alerts()).toMatchObject([
      {
        name: 'Budgets',
        thresholds: [0.8, 1],
        destination_id: null,
        recipients: [{ email: 'ops@example.com', confirmed_at: expect.any(String) as unknown }],
      },
    ]);

    await crumb('Alerts').click();
    await page()
      .locator('tbody tr', { hasText: 'onBudgets and limits of keysWorkspace Default' })
      .getByText('1 of 1 addresses confirmed')
      .waitFor();
    await button('Disable Budgets').click();
    await page().locator('.badge', { hasText: 'disabled' }).waitFor();
    expect(await alerts()).toMatchObject([{ enabled: false }]);
    await button('Enable Budgets').click();
    await button('Disable Budgets').waitFor();
    expect(await alerts()).toMatchObject([{ enabled: true }]);

    await page().locator('tbody').getByRole('link', { name: 'Budgets' }).click();
    await button('Delete').click();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Delete the alert').click();
    await page().getByText('There are no alerts yet.').waitFor();
    expect(await alerts()).toEqual([]);
  });

  it('say at its field what is wrong (400), and take what is suggested', async () => {
    const { app, organization } = context;
    const key = await app.factory.key(organization, { name: 'For search' });
    await context.ui.go('/alerts/new');
    await field('Name').fill('Keys');
    await button('Create the alert').click();
    await page().getByRole('group', { name: 'Who is told' }).getByText('must name a destination_id').waitFor();
    await field('Shares of the limit, divided by commas').fill('many');
    await field('Webhook').fill('no webhook');
    await addresses().fill('no address');
    await page().keyboard.press('Enter');
    await button('Create the alert').click();
    await page().locator('[aria-invalid]').nth(2).waitFor();
    for (const input of [field('Shares of the limit, divided by commas'), field('Webhook'), addresses()]) {
      expect(await input.getAttribute('aria-invalid')).toBe('true');
    }
    expect(await context.ui.barriers()).toEqual([]);

    await field('About').selectOption('key_expiry');
    await field('Only of one').selectOption('key_hash');
    await field('Key').fill('no hash');
    await field('Days before, divided by commas').fill('30, 3');
    await field('Webhook').fill(await newWebhook(app, organization));
    await button('Remove no address').click();
    await button('Create the alert').click();
    await page().getByRole('alert').getByText('key_hash').waitFor();
    expect(await field('Key').getAttribute('aria-invalid')).toBe('true');
    await field('Key').fill('For se');
    await page().locator(`datalist option[value="${key.hash}"]`).waitFor({ state: 'attached' });
    await field('Key').fill(key.hash);
    await button('Create the alert').click();
    await heading('Keys').waitFor();
    expect(await alerts()).toMatchObject([{ kind: 'key_expiry', key_hash: key.hash, days_before: [30, 3] }]);
    expect(context.ui.complaints.splice(0)).toEqual(Array(3).fill(expect.stringContaining('400')));
  });

  it('can be narrowed to what alerts of their kind have, and are told when only where the kind has that', async () => {
    await context.ui.go('/alerts/new');
    expect(await field('About').locator('option').count()).toBe(ALERT_KINDS.length);
    for (const kind of ALERT_KINDS) {
      await field('About').selectOption(kind);
      const options = await field('Only of one').locator('option').all();
      const scopes = await Promise.all(options.map((option) => option.getAttribute('value')));
      expect({
        kind,
        scopes: scopes.slice(1),
        thresholds: await field('Shares of the limit, divided by commas').count(),
        days: await field('Days before, divided by commas').count(),
      }).toEqual({
        kind,
        scopes: SCOPES[kind],
        thresholds: kind === 'budget' ? 1 : 0,
        days: kind === 'key_expiry' ? 1 : 0,
      });
    }
  });

  it('are named by what they are about, with one list of each sort for all of them', async () => {
    const { app, organization } = context;
    const key = await app.factory.key(organization, { name: 'For search' });
    const destination_id = await newWebhook(app, organization);
    const limits = [await newLimit(app, organization), await newLimit(app, organization, { name: 'Sessions' })];
    for (const limit_id of limits) await newAlert(app, organization, { kind: 'limit', limit_id, destination_id });
    await newAlert(app, organization, { kind: 'budget', key_hash: key.hash, destination_id, enabled: false });
    await newAlert(app, organization, { kind: 'destination_paused', destination_id });
    await context.ui.go('/alerts');
    const rows = page().locator('tbody tr');
    await rows.filter({ hasText: 'Limit Sessions' }).waitFor();
    await rows.filter({ hasText: 'Limit Agents' }).waitFor();
    await rows.filter({ hasText: /disabled.*Key For search/ }).waitFor();
    await rows.filter({ hasText: /Destinations that pause.*all.*when it happens.*Destination \d/ }).waitFor();
    expect(await context.ui.calledOperations()).toEqual([
      'GET /alerts',
      'GET /configuration/objects',
      'GET /keys',
      'GET /limits',
      'GET /observability/destinations',
      'GET /workspaces',
    ]);
    expect(await context.ui.barriers()).toEqual([]);
  });

  it('are changed by the first (200) of two people and not by the second (412)', async () => {
    const { app, organization } = context;
    const id = await newAlert(app, organization);
    await context.ui.go(`/alerts/${id}`);
    await field('Name').fill('Mine');
    expect((await app.api.patch(`/alerts/${id}`, { ...management(), json: { name: 'Theirs' } })).status).toBe(200);
    await button('Save').click();
    await heading('Theirs').waitFor();
    expect(await alerts()).toMatchObject([{ name: 'Theirs' }]);
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('412')]);
  });

  it('fit a window that is 320 pixels wide, and say what failed when they cannot be read (500)', async () => {
    const name = 'N'.repeat(100);
    const id = await newAlert(context.app, context.organization, { name, emails: [`${'a'.repeat(60)}@example.com`] });
    await page().setViewportSize({ width: 320, height: 800 });
    for (const path of ['/alerts/new', `/alerts/${id}`]) {
      await context.ui.go(path);
      await addresses().waitFor();
      expect({ path, overflows: await context.ui.overflows() }).toEqual({ path, overflows: false });
    }
    await context.ui.go('/alerts');
    await page().getByRole('link', { name }).waitFor();
    expect(await context.ui.overflows()).toBe(false);
    await page().route('**/api/v1/alerts?*', (route) =>
      route.fulfill({ status: 500, json: { error: { message: 'Out of order' } } }),
    );
    await context.ui.go('/alerts');
    await page().getByRole('alert').getByText('Out of order').waitFor();
    expect(await context.ui.overflows()).toBe(false);
    expect(context.ui.complaints.splice(0).length).toBeGreaterThan(0);
  });
});

import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { SignInLinksService } from '../../../src/modules/sign-in/links/sign-in-links.service.js';
import { consolePerTest } from './console-browser.js';

describe('the first steps on the overview', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });

  it('lead from nothing to an answer where one stands, and are gone with the first request', async () => {
    await context.ui.go('/overview');
    await page().getByRole('heading', { name: 'First steps' }).waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Take the echo provider').click();
    await page().getByRole('heading', { name: 'Connect a provider ✓ done' }).waitFor();
    await button('Create a key').click();
    await page().getByLabel('Name', { exact: true }).fill('First');
    await button('Create the key').click();
    await button('I have kept it').click();
    await page().getByRole('heading', { name: 'Make a key ✓ done' }).waitFor();
    await button('Send it').click();
    await page().getByText('gatehouse/echo: Hello, Gatehouse!').waitFor();
    await page().getByRole('heading', { name: 'Send a request ✓ done' }).waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await button('That was all').click();
    await page().getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });
    await page().reload();
    await page().getByRole('heading', { name: 'What is wrong now' }).waitFor();
    await page().waitForLoadState('networkidle');
    expect(await page().getByRole('heading', { name: 'First steps' }).count()).toBe(0);
  });

  it('keep a key for a provider, and say in the words of the interface what is wrong with it (400)', async () => {
    await context.ui.go('/overview');
    await button('Connect a provider').click();
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Provider', { exact: true }).fill('nobody');
    await dialog.getByLabel('Key', { exact: true }).fill('sk-of-a-provider-0123456789');
    expect(await context.ui.barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Connect the provider' }).click();
    await page().getByRole('alert').waitFor();
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await dialog.getByLabel('Provider', { exact: true }).fill('openai');
    await dialog.getByRole('button', { name: 'Connect the provider' }).click();
    await page().getByRole('heading', { name: 'Connect a provider ✓ done' }).waitFor();
  });

  it('can be dismissed for good', async () => {
    await context.ui.go('/overview');
    await button('Dismiss').click();
    await page().reload();
    await page().getByRole('heading', { name: 'What is wrong now' }).waitFor();
    await page().waitForLoadState('networkidle');
    expect(await page().getByRole('heading', { name: 'First steps' }).count()).toBe(0);
  });
});

describe('forms that were not sent', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const field = (name: string) => page().getByLabel(name, { exact: true });
  const button = (name: string) => page().getByRole('button', { name, exact: true });

  const signIn = async (userId: string): Promise<void> => {
    const { organizationId } = context.organization;
    const link = await context.app.application.get(SignInLinksService).create(COMMAND_LINE, organizationId, userId);
    await page().goto(context.app.origin + link);
    await button('Sign in').click();
    await page().getByRole('navigation', { name: 'Pages' }).waitFor();
  };

  /** Sends a form whose session ends before it arrives, and not before what the page reads does. */
  const sendTooLate = async (submit: string): Promise<void> => {
    const sent = /\/api\/v1\/(byok|keys)$/;
    await page().route(sent, async (route) => {
      await context.app.rows('DELETE FROM sessions WHERE organization_id = $1', [context.organization.organizationId]);
      await route.continue();
    });
    await button(submit).click();
    await page().waitForURL(/auth\/login/);
    await page().unroute(sent);
  };

  const fillIn = async (): Promise<void> => {
    await context.ui.go('/keys');
    await button('Create a key').click();
    await field('Name').fill('Half');
    await field('Spending limit in US dollars').fill('12.5');
    await field('The limit resets').selectOption('monthly');
  };

  it('have again what was filled in when the session had ended (401), in dialogs and on pages', async () => {
    await context.ui.go('/guardrails/new');
    await field('Name').fill('Half a guardrail');
    await page().getByRole('link', { name: 'Keys' }).click();
    await button('Create a key').click();
    await field('Name').fill('Half');
    await field('Spending limit in US dollars').fill('12.5');
    await field('The limit resets').selectOption('monthly');
    await sendTooLate('Create the key');
    // The browser writes every 401 into its console.
    expect(context.ui.complaints.splice(0).every((complaint) => complaint.includes('401'))).toBe(true);

    await signIn(context.organization.userId);
    await page().getByRole('link', { name: 'Keys', exact: true }).click();
    await button('Create a key').click();
    await page().getByText('What you had filled in before is here again.').waitFor();
    await field('The limit resets').waitFor();
    expect([
      await field('Name').inputValue(),
      await field('Spending limit in US dollars').inputValue(),
      await field('The limit resets').inputValue(),
    ]).toEqual(['Half', '12.5', 'monthly']);
    await button('Create the key').click();
    await button('I have kept it').click();
    await page().getByRole('link', { name: 'Half' }).waitFor();
    // What was sent is not there again.
    await button('Create a key').click();
    expect(await field('Name').inputValue()).toBe('');
    await button('Cancel').click();
    expect(await page().evaluate<number>('sessionStorage.length')).toBe(0);
    await page().getByRole('link', { name: 'Guardrails' }).click();
    await button('Create a guardrail').click();
    expect(await field('Name').inputValue()).toBe('Half a guardrail');
  });

  it('are nobody else’s who signs in in the same window', async () => {
    await fillIn();
    await sendTooLate('Create the key');
    context.ui.complaints.splice(0);
    await signIn(await context.app.factory.member(context.organization.organizationId, 'admin'));
    await page().getByRole('link', { name: 'Keys', exact: true }).click();
    await button('Create a key').click();
    expect(await field('Name').inputValue()).toBe('');
    expect(await page().evaluate<number>('sessionStorage.length')).toBe(0);
  });

  it('have again what was filled in when one goes back and comes again, but not when one has cancelled', async () => {
    await context.ui.go('/overview');
    await page().getByRole('link', { name: 'Keys', exact: true }).click();
    await button('Create a key').click();
    await field('Name').fill('Half');
    await page().goBack();
    await page().getByRole('heading', { name: 'Overview' }).waitFor();
    await page().getByRole('link', { name: 'Keys', exact: true }).click();
    await button('Create a key').click();
    await page().getByText('What you had filled in before is here again.').waitFor();
    expect(await field('Name').inputValue()).toBe('Half');
    await button('Cancel').click();
    await button('Create a key').click();
    expect(await field('Name').inputValue()).toBe('');
  });

  it('never have a secret again', async () => {
    await context.ui.go('/overview');
    await button('Connect a provider').click();
    await field('Provider').fill('openai');
    await field('Key').fill('sk-of-a-provider-0123456789');
    await sendTooLate('Connect the provider');
    context.ui.complaints.splice(0);
    const stored = await page().evaluate<string>('JSON.stringify({ ...sessionStorage, ...localStorage })');
    expect(stored).toContain('openai');
    expect(stored).not.toContain('sk-of-a-provider');
  });
});

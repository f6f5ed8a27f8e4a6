import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { consolePerTest } from './console-browser.js';

/** What a user writes, which no page may take for markup. */
const HOSTILE = '<img src=x onerror="alert(1)"> write to ada@example.com';

describe('the requests in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  let key: IssuedCredential;

  beforeEach(async () => {
    key = await context.app.factory.key(context.organization);
  });

  const ask = async (model: string): Promise<{ status: number; id: string }> => {
    const json = { model, messages: [{ role: 'user', content: HOSTILE }] };
    const { status, body } = await context.app.api.post<{ id: string }>('/chat/completions', {
      key: key.plaintext,
      json,
    });
    return { status, id: body.id };
  };

  const statusesOf = async (...models: string[]): Promise<number[]> => {
    const statuses: number[] = [];
    for (const model of models) statuses.push((await ask(model)).status);
    return statuses;
  };

  /** Gives the key a guardrail that redacts addresses. */
  const guard = async (): Promise<void> => {
    const guardrail = await context.app.factory.guardrail(context.organization, {
      content_filter_builtins: [{ slug: 'email', action: 'redact' }],
    });
    await context.app.api.post(`/guardrails/${guardrail.id}/assignments/keys`, {
      key: context.organization.managementKey,
      json: { key_hashes: [key.hash] },
    });
  };

  it('are listed latest first with one request, and filtered by the address: those refused (400), those of a status', async () => {
    expect(await statusesOf('gatehouse/echo', 'no/such-model')).toEqual([200, 400]);

    await context.ui.go('/requests');
    await page().locator('tbody tr').nth(1).waitFor();
    expect(context.ui.calls.sort()).toEqual(['GET /generations', 'GET /organization/members', 'GET /workspaces']);
    expect(await context.ui.barriers()).toEqual([]);

    await page().getByLabel('Outcome').selectOption('true');
    await page().waitForURL(/refused=true/);
    await page().locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    expect(await page().locator('tbody').textContent()).toContain('400');
    await page().goto(page().url().replace('refused=true', 'status=200'));
    await page().locator('tbody tr').waitFor();
    expect(await page().getByLabel('Status').inputValue()).toBe('200');
    expect(await page().locator('tbody').textContent()).toContain('gatehouse/echo');
    await page().getByLabel('Until').fill('2001-01-01T00:00');
    await page().getByText('No request matches the filters.').waitFor();
    expect(new URL(page().url()).searchParams.get('until')).toBe('2001-01-01T00:00:00.000Z');
  });

  it('show how one was decided (200, 400), step by step, and the next of the same list, after which the filters are still there', async () => {
    await guard();
    expect(await statusesOf('gatehouse/echo', 'no/such-model', 'gatehouse/echo')).toEqual([200, 400, 200]);

    await context.ui.go('/requests?status=200');
    await page().locator('tbody a').first().click();
    await page().getByRole('heading', { name: 'Content filters' }).waitFor();
    const steps = await page().locator('.steps h3').allTextContents();
    expect(steps.map((step) => step.replace(/ (passed|with notes|ended here)?$/, ''))).toEqual([
      'It came',
      'Content filters',
      'Providers',
      'It was answered',
      'It was charged',
    ]);
    expect(await page().locator('.steps').textContent()).toContain('email redacted 1 place');
    expect(await context.ui.barriers()).toEqual([]);

    const first = page().url();
    await page().getByRole('button', { name: 'Next' }).click();
    await page().waitForURL((url) => url.href !== first);
    await page().getByRole('button', { name: 'Next', disabled: true }).waitFor();
    expect(new URL(page().url()).search).toBe('?status=200');
    await page().getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
    await page().waitForURL(/\/requests\?status=200$/);
  });

  it('show what was asked as text, on demand alone, and say where it was not kept (404)', async () => {
    const { managementKey, workspaceId } = context.organization;
    const before = await ask('gatehouse/echo');
    await context.app.api.patch(`/workspaces/${workspaceId}`, {
      key: managementKey,
      json: { is_observability_io_logging_enabled: true, io_logging_sampling_rate: 1 },
    });
    const kept = await ask('gatehouse/echo');

    await context.ui.go(`/requests/${kept.id}`);
    const show = page().getByRole('button', { name: 'Show what was asked and answered' });
    await show.waitFor();
    expect(context.ui.calls).not.toContain('GET /generation/content');
    await show.click();
    await page().locator('pre').first().waitFor();
    expect(await page().locator('pre').first().textContent()).toContain('<img src=x onerror=');
    expect(await page().locator('pre img').count()).toBe(0);
    expect(await context.ui.barriers()).toEqual([]);

    await context.ui.go(`/requests/${before.id}`);
    await show.click();
    await page().getByText('The content of this request was not kept.').waitFor();
    // The browser writes every 404 into its console.
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('404')]);
  });

  it('can be read, answered with 200, in a window that is 320 pixels wide', async () => {
    await ask('gatehouse/echo');
    await page().setViewportSize({ width: 320, height: 800 });
    await context.ui.go('/requests');
    await page().locator('tbody a').first().waitFor();
    expect(await context.ui.overflows()).toBe(false);
    await page().locator('tbody a').first().click();
    await page().getByRole('heading', { name: 'Decision' }).waitFor();
    expect(await context.ui.overflows()).toBe(false);
  });
});

import { readFileSync } from 'node:fs';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { GenerationsService } from '../../../src/modules/generations/generations.service.js';
import { FINDS } from '../../../packages/console/src/pages/requests/refusing-objects.js';
import { chargedGeneration } from '../inference/spend/charged-generation.js';
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
    expect(await context.ui.calledOperations()).toEqual([
      'GET /generations',
      'GET /organization/members',
      'GET /workspaces',
    ]);
    expect(await context.ui.barriers()).toEqual([]);

    await page().getByLabel('Outcome').and(page().locator('select')).selectOption('true');
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

  it('come by themselves (200) where that is wanted, those alone that the filters let through, and each once', async () => {
    await context.ui.go('/requests?refused=true');
    await page().getByText('No request matches the filters.').waitFor();
    await page().getByRole('switch', { name: 'Live' }).click();
    await page().getByText('New requests appear by themselves').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    expect(await statusesOf('gatehouse/echo', 'no/such-model')).toEqual([200, 400]);
    await page().locator('tbody tr').waitFor();
    expect(await page().locator('tbody').textContent()).toContain('400');
    await Promise.all([
      page().waitForResponse(
        (answer) => answer.url().includes('/generations?') && answer.request().resourceType() === 'fetch',
      ),
      page().getByRole('button', { name: 'Refresh' }).click(),
    ]);
    await page().locator('[aria-busy=false] tbody').waitFor();
    expect(await page().locator('tbody tr').count()).toBe(1);
    await page().getByRole('switch', { name: 'Live', checked: true }).click();
    await page().getByRole('switch', { name: 'Live', checked: false }).waitFor();
  });

  it('are saved as a table, shown in the columns that the browser keeps, and sorted by them (200)', async () => {
    expect(await statusesOf('gatehouse/echo', 'no/such-model')).toEqual([200, 400]);
    await context.ui.go('/requests');
    await page().locator('tbody tr').nth(1).waitFor();
    const [download] = await Promise.all([
      page().waitForEvent('download'),
      page().getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('requests.csv');
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(lines[0]).toMatch(/^id,created_at,status,refusal,/);
    expect(lines).toHaveLength(4);

    const statuses = async (): Promise<(string | null)[]> =>
      (await page().locator('tbody tr td:nth-child(2)').allTextContents()).map((text) => text.slice(0, 3));
    await page().getByRole('button', { name: 'Outcome' }).click();
    await page().locator('th[aria-sort=ascending]').waitFor();
    expect(await statuses()).toEqual(['200', '400']);
    await page().getByRole('button', { name: 'Outcome' }).click();
    await page().locator('th[aria-sort=descending]').waitFor();
    expect(await statuses()).toEqual(['400', '200']);

    const columns = page().locator('thead');
    expect(await columns.textContent()).not.toMatch(/Workspace|Provider/);
    await page().getByText('Columns', { exact: true }).click();
    await page().getByLabel('Provider', { exact: true }).and(page().getByRole('checkbox')).check();
    await page().getByLabel('Tokens', { exact: true }).and(page().getByRole('checkbox')).uncheck();
    await page().locator('thead', { hasText: 'Provider', hasNotText: 'Tokens' }).waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await page().reload();
    await page().locator('tbody tr').nth(1).waitFor();
    expect(await columns.textContent()).toMatch(/^(?!.*(Workspace|Tokens)).*Provider/);
  });

  it('say at the field which filter the service does not take (400)', async () => {
    await context.ui.go('/requests?status=abc');
    await page().getByRole('alert').waitFor();
    await page().getByLabel('Status').and(page().locator('[aria-invalid=true]')).waitFor();
    expect(await page().locator('tbody').count()).toBe(0);
    expect(await context.ui.barriers()).toEqual([]);
    // The browser writes every 400 into its console.
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
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

  it('name the limit that refused one (402), and the guardrail that blocked one (403)', async () => {
    const { factory, api } = context.app;
    const limited = await factory.key(context.organization);
    const { managementKey } = context.organization;
    await api.patch(`/keys/${limited.hash}`, { key: managementKey, json: { limit: 0.000001, limit_reset: 'weekly' } });
    const guardrail = await factory.guardrail(context.organization, {
      name: 'No addresses',
      content_filter_builtins: [{ slug: 'email', action: 'block' }],
    });
    await api.post(`/guardrails/${guardrail.id}/assignments/keys`, {
      key: managementKey,
      json: { key_hashes: [key.hash] },
    });
    const json = { model: 'gatehouse/echo', messages: [{ role: 'user', content: HOSTILE }] };
    const refused = await api.post('/chat/completions', { key: limited.plaintext, json });
    const blocked = await api.post('/chat/completions', { key: key.plaintext, json });
    expect([refused.status, blocked.status]).toEqual([402, 403]);

    await context.ui.go(`/requests/${refused.headers.get('x-generation-id')}`);
    await page().getByText('because of insufficient_budget: the weekly limit of the key').waitFor();
    await page().getByRole('link', { name: 'the weekly limit of the key' }).click();
    await page().waitForURL((url) => url.pathname.endsWith(`/keys/${limited.hash}`));
    await context.ui.go(`/requests/${blocked.headers.get('x-generation-id')}`);
    await page().getByText('See No addresses').getByRole('link', { name: 'No addresses' }).click();
    await page().getByRole('heading', { name: 'No addresses' }).waitFor();
  });

  it('lead from every reason of a refusal (403) to the objects behind it, whose pages open without an error', async () => {
    const { app, organization } = context;
    const { id: guardrailId } = await app.factory.guardrail(organization, { name: 'No addresses' });
    const sample = chargedGeneration(organization, key, { status: 403, costUsd: '0' });
    const details = {
      ...sample.details,
      limitedBy: undefined,
      refusingGuardrailIds: [guardrailId],
      filters: [{ filter: 'email', action: 'block', guardrailIds: [guardrailId], count: 1 } as const],
      mcp: { method: 'tools/call', server: 'docs', tool: 'echo', protocolVersion: '2026-07-28' },
      exclusions: [
        { reason: 'not_connected', detail: 'the provider is not connected', endpoints: 1, guardrailIds: [] },
      ],
    };
    const pages = new Set<string>();
    for (const [place, refusal] of Object.keys(FINDS).entries()) {
      const id = `${sample.id.slice(0, -2)}${String(place).padStart(2, '0')}`;
      await app.application.get(GenerationsService).record({ ...sample, id, details: { ...details, refusal } });
      await context.ui.go(`/requests/${id}`);
      const links = page()
        .locator('.steps li', { hasText: `because of ${refusal}` })
        .getByRole('link');
      await links.first().waitFor();
      for (const link of await links.all()) pages.add((await link.getAttribute('href'))!);
    }
    expect(await context.ui.barriers()).toEqual([]);
    expect([...pages].some((path) => path.endsWith(`/guardrails/${guardrailId}`))).toBe(true);
    expect(pages.size).toBeGreaterThan(6);
    for (const path of pages) {
      await page().goto(new URL(path, page().url()).href);
      await page().locator('h1').waitFor();
      await page().waitForLoadState('networkidle');
      expect({ path, alerts: await page().getByRole('alert').allTextContents() }).toEqual({ path, alerts: [] });
    }
  });

  it('say why a refusal has no object (400), (429)', async () => {
    const wrong = await context.app.api.post('/chat/completions', {
      key: key.plaintext,
      json: { model: 'gatehouse/echo', messages: 1 },
    });
    expect(wrong.status).toBe(400);
    await context.ui.go(`/requests/${wrong.headers.get('x-generation-id')}`);
    await page().getByText('The request itself is at fault').waitFor();
    const sample = chargedGeneration(context.organization, key, { status: 429, costUsd: '0' });
    const details = { ...sample.details, refusal: 'too_many_concurrent_requests' };
    await context.app.application.get(GenerationsService).record({ ...sample, details });
    await context.ui.go(`/requests/${sample.id}`);
    await page().getByText('The deployment protects itself so').waitFor();
  });

  it('say why no endpoint was left (404), with the guardrail behind it', async () => {
    const { factory, api } = context.app;
    const other = await factory.key(context.organization);
    const guardrail = await factory.guardrail(context.organization, {
      name: 'Only one model',
      allowed_models: ['gatehouse/echo'],
    });
    await api.post(`/guardrails/${guardrail.id}/assignments/keys`, {
      key: context.organization.managementKey,
      json: { key_hashes: [other.hash] },
    });
    const json = { model: 'openai/gpt-5.5', messages: [{ role: 'user', content: 'Hello' }] };
    const refused = await api.post('/chat/completions', { key: other.plaintext, json });
    expect(refused.status).toBe(404);

    await context.ui.go(`/requests/${refused.headers.get('x-generation-id')}`);
    await page().getByText('the provider is not connected').waitFor();
    await page().getByText('the model is not allowed by a guardrail (Only one model)').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await page().getByRole('link', { name: 'Only one model' }).click();
    await page().getByRole('heading', { name: 'Only one model' }).waitFor();
  });

  it('say what filters did with the request, and with the answer, for how long (403)', async () => {
    const { id: guardrailId } = await context.app.factory.guardrail(context.organization, { name: 'No addresses' });
    const sample = chargedGeneration(context.organization, key, { status: 403, costUsd: '0' });
    const found = { action: 'redact', guardrailIds: [guardrailId], count: 2 } as const;
    const filters = [
      { ...found, filter: 'email' },
      { ...found, filter: 'email', place: 'response' },
      { ...found, filter: 'iban', action: 'block', count: 1, place: 'tool_call' },
    ] as const;
    const answerFiltering = { heldCharacters: 386, milliseconds: 4 };
    const providerFilters = [{ source: 'answer', category: 'hate', filtered: true, severity: 'high' }] as const;
    const judged = { id: guardrailId, name: 'Own', milliseconds: 12 } as const;
    const judgements = [
      { ...judged, place: 'request', outcome: 'changed', count: 1 },
      { ...judged, place: 'response', outcome: 'failed', observed: true, count: 3 },
    ] as const;
    const seen = { filters, answerFiltering, providerFilters, judgements };
    const details = { ...sample.details, refusal: 'content_blocked', ...seen };
    await context.app.application.get(GenerationsService).record({ ...sample, details });

    await context.ui.go(`/requests/${sample.id}`);
    await page().getByText('email redacted 2 places, by No addresses').waitFor();
    await page().getByText('email redacted 2 places in what was said, by No addresses').waitFor();
    await page().getByText('iban blocked 1 place in tool calls, by No addresses').waitFor();
    await page().getByText('Own changed the request: asked once, in 12 ms').waitFor();
    await page().getByText('Own failed on what was said, and only observed: asked 3 times, in 12 ms').waitFor();
    await page().getByText('hate in the answer: filtered, high').waitFor();
    await page().getByText('They took 4 ms, and held 386 characters at most').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
  });

  it('name the limit by group that refused one (429), what another one only observed (200), and the labels', async () => {
    const make = async (json: object): Promise<void> => {
      const base = { measure: 'requests', window: 'daily', amount: 0, group_by: ['label.team'] };
      const { status } = await context.app.api.post('/limits', {
        key: context.organization.managementKey,
        json: { ...base, ...json },
      });
      expect(status).toBe(201);
    };
    const askAsTeam = (): ReturnType<typeof context.app.api.post> =>
      context.app.api.post('/chat/completions', {
        key: key.plaintext,
        json: { model: 'gatehouse/echo', messages: [{ role: 'user', content: HOSTILE }] },
        headers: { 'X-Labels': 'team=search' },
      });
    await make({ name: 'Next year', enforcement: 'observe' });
    const observed = await askAsTeam();
    await make({ name: 'Of each team' });
    const refused = await askAsTeam();
    expect([observed.status, refused.status]).toEqual([200, 429]);

    await context.ui.go(`/requests/${observed.headers.get('x-generation-id')}`);
    await page().getByText('The limit Next year would have refused it (limit) for Label team search').waitFor();
    await page().getByText('team=search', { exact: true }).waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await context.ui.go(`/requests/${refused.headers.get('x-generation-id')}`);
    await page().getByText('because of limit_exceeded: the limit Of each team for Label team search').waitFor();
    await page().getByRole('link', { name: 'Of each team' }).click();
    await page().getByRole('heading', { name: 'Of each team' }).waitFor();

    const suggested = (value: string) =>
      page().locator(`datalist option[value="${value}"]`).first().waitFor({ state: 'attached' });
    await page().getByRole('button', { name: 'Edit' }).click();
    await page().getByRole('button', { name: 'Add a condition' }).click();
    await page().getByLabel('What is compared').selectOption({ label: 'Label' });
    await page().getByLabel('Name of the label').focus();
    await suggested('team');
    await page().getByLabel('Name of the label').fill('team');
    await page().getByRole('combobox', { name: 'Pick one for Is one of' }).focus();
    await suggested('search');
    expect(await context.ui.barriers()).toEqual([]);
    await context.ui.go('/requests');
    await page().getByRole('combobox', { name: 'Label', exact: true }).focus();
    await suggested('team=search');
  });

  it('say what a provider said of its failure (503)', async () => {
    const sample = chargedGeneration(context.organization, key, { status: 503, costUsd: '0' });
    const attempt = {
      provider: 'alpha',
      providerName: 'Alpha Cloud',
      model: 'acme/writer',
      endpoint: 'alpha',
      status: 500,
      isByok: false,
      latencyMs: 17,
      error: 'CUDA out of memory',
    };
    const failed = { ...sample, details: { ...sample.details, attempts: [attempt] } };
    await context.app.application.get(GenerationsService).record(failed);
    await context.ui.go(`/requests/${failed.id}`);
    await page().locator('.steps').getByText('CUDA out of memory').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
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
    expect(await context.ui.calledOperations()).not.toContain('GET /generation/content');
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

import type { GetAuditHeadResponse } from '../../../src/modules/audit/dto/audit-head.dto.js';
import { consolePerTest } from './console-browser.js';

describe('the audit trail in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const rows = () => page().locator('tbody tr');

  it('is shown latest first, with what has changed, and filtered by the address', async () => {
    const { app, organization } = context;
    const { managementKey: key } = organization;
    const created = await app.api.post<{ data: { hash: string } }>('/keys', { key, json: { name: 'Robot <b>' } });
    await app.api.patch(`/keys/${created.body.data.hash}`, { key, json: { name: 'Renamed' } });
    await context.ui.go('/audit');
    await page().getByRole('button', { name: 'key.update' }).waitFor();
    expect(await rows().first().textContent()).toContain('key.update');
    expect(await context.ui.calledOperations()).toEqual([
      'GET /audit-events',
      'GET /audit-events',
      'GET /audit-events/head',
      'GET /organization/members',
      'GET /workspaces',
    ]);
    await rows().first().locator('summary').click();
    expect(await rows().first().locator('.changes').textContent()).toContain('"Robot <b>" → "Renamed"');
    expect(await context.ui.barriers()).toEqual([]);

    await page().getByRole('button', { name: 'key.update' }).click();
    await page().waitForURL(/action=key\.update/);
    await page().getByRole('button', { name: 'key.create' }).first().waitFor({ state: 'detached' });
    await page().reload();
    await page().getByRole('button', { name: 'key.update' }).waitFor();
    expect(await rows().count()).toBe(1);
  });

  it('shows the head of its chain, and says whether it still has one that was kept before something was created (201)', async () => {
    const { app, organization } = context;
    const key = organization.managementKey;
    const { body } = await app.api.get<GetAuditHeadResponse>('/audit-events/head', { key });
    const kept = `${body.data.sequence}:${body.data.hash}`;
    expect((await app.api.post('/guardrails', { key, json: { name: 'Behind it' } })).status).toBe(201);
    await context.ui.go('/audit');
    await page()
      .getByText(new RegExp(`^${body.data.sequence + 1}:[0-9a-f]{64}$`))
      .waitFor();

    const compare = async (head: string): Promise<void> => {
      await page().getByLabel('A head that was kept').fill(head);
      await page().getByRole('button', { name: 'Compare' }).click();
    };
    await compare(kept);
    await page().getByText('The trail still has it').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await compare(`${body.data.sequence}:${'0'.repeat(64)}`);
    await page().getByText('The trail does not have it').waitFor();
    // What it says of one head says nothing of another.
    await compare(kept);
    await page().getByText('The trail still has it').waitFor();
    await compare(`1000000:${body.data.hash}`);
    await page().getByText('The trail does not have it').waitFor();
    await compare('nothing');
    await page().getByText('It is no position and hash.').waitFor();
  });

  it('is read page by page from its end, each event once', async () => {
    const { app, organization } = context;
    for (let index = 0; index < 55; index += 1) {
      await app.api.post('/guardrails', { key: organization.managementKey, json: { name: `Guardrail ${index}` } });
    }
    await context.ui.go('/audit?action=guardrail.create');
    await rows().nth(49).waitFor();
    const first = await rows().locator('td:last-child').allTextContents();
    await page().getByRole('button', { name: 'Next' }).click();
    await page().getByText('51 to 55 of 55').waitFor();
    await rows().nth(5).waitFor({ state: 'detached' });
    const positions = [...first, ...(await rows().locator('td:last-child').allTextContents())].map(Number);
    expect(new Set(positions).size).toBe(55);
    expect(positions).toEqual(positions.toSorted((one, other) => other - one));
  });
});

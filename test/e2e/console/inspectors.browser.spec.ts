import type { Inspector } from '../../../src/modules/inspectors/dto/inspector.dto.js';
import { INSPECTOR_KEY, INSPECTOR_SIGNING_SECRET, madeInspector } from '../../support/resources/inspectors.js';
import { sharedGuard } from '../inspectors/inspector-interface.js';
import { recordUsed } from '../usage/used-generations.js';
import { consolePerTest } from './console-browser.js';

describe('the inspectors in the console', () => {
  const context = consolePerTest({ ALLOW_PRIVATE_DESTINATIONS: 'true' });
  const guard = sharedGuard();
  const page = () => context.ui.page;
  const field = (name: string) => page().getByLabel(name, { exact: true });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const management = () => ({ key: context.organization.managementKey });

  const inspectors = async (): Promise<Inspector[]> =>
    (await context.app.api.get<{ data: Inspector[] }>('/inspectors', management())).body.data;

  const save = () => context.ui.save('The inspector was saved.');

  it('are made, tested, changed with the secrets that they have, and deleted', async () => {
    await context.ui.go('/inspectors');
    await page().getByText('There are no inspectors.').waitFor();
    expect(await context.ui.calledOperations()).toEqual(['GET /inspectors']);
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create an inspector').click();
    await field('Name').fill('Own <b>guard</b>');
    await field('Address').fill(guard.server.baseUrl);
    await field('Parameters as JSON').fill('{ "policy": "strict" }');
    await field('Key').fill(INSPECTOR_KEY);
    await field('Secret that signs requests').fill(INSPECTOR_SIGNING_SECRET);
    await field('Further headers, one name=value a line').fill('x-tenant=acme=1\n');
    await field('Answers').check();
    await field('Its verdict').selectOption('observe');
    await field('Of these from the window before').fill('100');
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create the inspector').click();

    await page().getByRole('heading', { name: 'Own <b>guard</b>' }).waitFor();
    const [made] = await inspectors();
    expect(made).toMatchObject({
      protocol: 'texts',
      url: guard.server.baseUrl,
      settings: { parameters: { policy: 'strict' } },
      applies_to: ['request', 'response', 'tool_result'],
      mode: 'observe',
      on_failure: 'block',
      timeout_ms: 3000,
      window: { characters: 1024, overlap: 100 },
    });

    guard.server.answerJson({ action: 'BLOCKED', blocked_reason: 'no <i>attacks</i>' });
    await field('What the texts are').selectOption('response');
    await field('Text 1').fill('Ignore all');
    await button('Add a text').click();
    await field('Text 2').fill('Hello');
    await button('Test it').click();
    await page().getByText('no <i>attacks</i>').waitFor();
    expect(guard.server.received.at(-1)).toMatchObject({
      headers: { 'x-api-key': INSPECTOR_KEY, 'x-tenant': 'acme=1' },
      body: { texts: ['Ignore all', 'Hello'], input_type: 'response' },
    });
    guard.server.answerJson({ action: 'GUARDRAIL_INTERVENED', texts: ['[OUT]', 'Hello'] });
    await button('Test it').click();
    await page().locator('.badge', { hasText: 'The texts are changed' }).waitFor();
    expect(await page().locator('pre').allTextContents()).toEqual(['[OUT]', 'Hello']);
    expect(await context.ui.barriers()).toEqual([]);

    // The masks stay as they were read.
    await field('Name').fill('Guard');
    await field('Its verdict').selectOption('enforce');
    await field('When it fails').selectOption('pass');
    await field('It sees answers as a whole').check();
    await save();
    guard.server.answerJson({ nothing: 'of the kind' });
    await button('Remove text 2').click();
    await button('Test it').click();
    await page().getByText('Texts would pass.').waitFor();
    expect(guard.server.received.at(-1)).toMatchObject({
      headers: { 'x-api-key': INSPECTOR_KEY, 'x-tenant': 'acme=1' },
      body: { texts: ['Ignore all'] },
    });
    expect(guard.server.received.at(-1)!.headers['webhook-signature']).toMatch(/^v1,/);
    await field('Further headers, one name=value a line').fill('');
    await field('Key').fill('');
    await save();
    expect(await inspectors()).toMatchObject([
      {
        name: 'Guard',
        api_key: null,
        mode: 'enforce',
        on_failure: 'pass',
        window: 'whole',
        headers: {},
        signing_secret: expect.any(String) as string,
      },
    ]);

    await button('Delete').click();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Delete the inspector').click();
    await page().getByText('There are no inspectors.').waitFor();
    expect(await inspectors()).toEqual([]);
  });

  it('have the fields of their protocols, and say at its field what is wrong (400)', async () => {
    await context.ui.go('/inspectors/new');
    await field('Name').fill('Detector');
    await field('Protocol').selectOption('presidio');
    expect(await field('Secret that signs requests').count()).toBe(0);
    await field('Address').fill('https://presidio.example.com');
    await field('Language').fill('English');
    await field('Entities, one a line').fill('PERSON\nEMAIL_ADDRESS');
    await field('Score from which an entity counts').fill('0.5');
    await field('What happens to entities').selectOption('block');
    await button('Create the inspector').click();
    await page().getByRole('alert').waitFor();
    expect(await field('Language').getAttribute('aria-invalid')).toBe('true');
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await field('Language').fill('');
    await button('Create the inspector').click();
    await page().getByRole('heading', { name: 'Detector' }).waitFor();
    expect(await inspectors()).toMatchObject([
      {
        protocol: 'presidio',
        settings: { entities: ['PERSON', 'EMAIL_ADDRESS'], score_threshold: 0.5, action: 'block' },
      },
    ]);
    expect(await field('Entities, one a line').inputValue()).toBe('PERSON\nEMAIL_ADDRESS');
  });

  const address = { Address: 'https://guard.example.com' };

  it.each<[protocol: string, fields: Readonly<Record<string, string>>]>([
    ['messages', address],
    ['portkey', address],
    ['bedrock', { Region: 'eu-central-1', Guardrail: 'gr0123456789' }],
    ['azure-content-safety', { ...address, 'Categories, one a line': 'Hate\nViolence' }],
    ['azure-prompt-shields', address],
    ['model-armor', { Project: 'my-project', Location: 'europe-west4', Template: 'default' }],
    ['lakera', { Project: 'project-0123456789' }],
    ['openai-moderation', { 'Categories that block, one a line': 'violence' }],
    ['classifier', { ...address, 'Labels that block, one a line': 'INJECTION' }],
  ])(
    'of the protocol %s are made with what their fields ask for, and are shown and saved as they were made',
    async (protocol, fields) => {
      await context.ui.go('/inspectors/new');
      await field('Name').fill('Of this protocol');
      await field('Protocol').selectOption(protocol);
      for (const [label, value] of Object.entries({ Key: INSPECTOR_KEY, ...fields })) await field(label).fill(value);
      await button('Create the inspector').click();
      await page().getByRole('heading', { name: 'Of this protocol' }).waitFor();
      expect((await inspectors()).map((one) => one.protocol)).toEqual([protocol]);
      for (const [label, value] of Object.entries(fields)) expect(await field(label).inputValue()).toBe(value);
      const [{ name: _, updated_at: before, ...made }] = (await inspectors()) as [Inspector];
      await field('Name').fill('Saved again');
      await save();
      await page().getByRole('heading', { name: 'Saved again' }).waitFor();
      const [{ name, updated_at: after, ...still }] = (await inspectors()) as [Inspector];
      expect([name, still, after === before]).toEqual(['Saved again', made, false]);
    },
  );

  it('that are judge models have neither address nor secrets, are saved again, and are not tested', async () => {
    await context.ui.go('/inspectors/new');
    await field('Name').fill('Judge');
    await field('Address').fill('https://left.example.com');
    await field('Key').fill(INSPECTOR_KEY);
    await field('Protocol').selectOption('model');
    expect([await field('Address').count(), await field('Key').count()]).toEqual([0, 0]);
    await field('Model').fill('gatehouse/echo');
    await field('How it is asked').selectOption('verdict');
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create the inspector').click();
    await page().getByRole('alert').waitFor();
    expect(await field('Prompt').getAttribute('aria-invalid')).toBe('true');
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await field('Prompt').fill('Block what asks\nfor passwords.');
    await button('Create the inspector').click();
    await page().getByText('it cannot be tested here').waitFor();
    expect(await button('Test it').count()).toBe(0);
    expect(await context.ui.barriers()).toEqual([]);
    await field('When it fails').selectOption('pass');
    await save();
    expect(await inspectors()).toMatchObject([
      {
        protocol: 'model',
        url: null,
        api_key: null,
        on_failure: 'pass',
        settings: { model: 'gatehouse/echo', form: 'verdict', prompt: 'Block what asks\nfor passwords.' },
      },
    ]);
  });

  it('are chosen in guardrails, and not deleted while one names them (409)', async () => {
    const { id } = await madeInspector(context.app, context.organization, { name: 'Needed' });
    await madeInspector(context.app, context.organization, { name: 'Other' });
    const guardrail = await context.app.factory.guardrail(context.organization, { name: 'Judging' });
    const named = async (): Promise<unknown> =>
      (await context.app.api.get<{ data: object }>(`/guardrails/${guardrail.id}`, management())).body.data;
    await context.ui.go(`/guardrails/${guardrail.id}`);
    const choice = page().getByRole('group', { name: 'Inspectors' });
    await choice.getByLabel('Needed').check();
    expect(await context.ui.barriers()).toEqual([]);
    await context.ui.save('The guardrail was saved.');
    expect(await named()).toMatchObject({ inspector_ids: [id] });
    await context.ui.go('/guardrails');
    await page().locator('tbody tr', { hasText: 'Judging' }).getByText('1 inspector').waitFor();

    await context.ui.go(`/inspectors/${id}`);
    await button('Delete').click();
    await button('Delete the inspector').click();
    await page().getByRole('alert').getByText('A guardrail names this inspector').waitFor();
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('409')]);
    await page().keyboard.press('Escape');

    await context.ui.go(`/guardrails/${guardrail.id}`);
    await choice.getByLabel('Needed').uncheck();
    await context.ui.save('The guardrail was saved.');
    expect(await named()).not.toHaveProperty('inspector_ids');
  });

  it('are changed by the first (200) of two people who have seen the same state, and not by the second (412)', async () => {
    const { id } = await madeInspector(context.app, context.organization, { name: 'Shared' });
    await context.ui.go(`/inspectors/${id}`);
    await field('Name').fill('Mine');
    const json = { name: 'Theirs' };
    expect((await context.app.api.patch(`/inspectors/${id}`, { ...management(), json })).status).toBe(200);
    await button('Save').click();
    await page().getByRole('heading', { name: 'Theirs' }).waitFor();
    expect((await inspectors()).map(({ name }) => name)).toEqual(['Theirs']);
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('412')]);
  });

  it('show what they have done in the last days, as the guardrails show what all filters have', async () => {
    const key = await context.app.factory.key(context.organization);
    const { id } = await madeInspector(context.app, context.organization, { name: 'Guard' });
    const judged = { id, name: 'Guard', milliseconds: 1, count: 3 };
    await recordUsed(context.app, context.organization, key, [
      {
        details: {
          filters: [{ filter: 'email', action: 'redact', guardrailIds: [], count: 2, place: 'response' }],
          judgements: [
            { ...judged, place: 'request', outcome: 'blocked' },
            { ...judged, place: 'request', outcome: 'passed' },
          ],
        },
      },
    ]);
    const cells = async (): Promise<string[][]> => {
      const table = page().getByRole('region', { name: 'What filters did' });
      await table.waitFor();
      const rows = await table.locator('tbody tr').all();
      return Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
    };
    await context.ui.go(`/inspectors/${id}`);
    expect(await cells()).toEqual([['Guard', 'Blocked', 'Requests', '3', '1']]);
    await context.ui.go('/guardrails');
    expect(await cells()).toEqual([
      ['Guard', 'Blocked', 'Requests', '3', '1'],
      ['email', 'Redacted or changed', 'Answers', '2', '1'],
    ]);
    expect(await context.ui.barriers()).toEqual([]);
  });

  it('say what failed when their list and what filters did cannot be read (500)', async () => {
    await page().route('**/api/v1/inspectors?*', (route) =>
      route.fulfill({ status: 500, json: { error: { message: 'Out of order' } } }),
    );
    await page().route('**/api/v1/analytics/query', (route) => route.abort());
    await context.ui.go('/inspectors');
    await page().getByRole('alert').getByText('Out of order').waitFor();
    await context.ui.go('/guardrails');
    const activity = page().locator('section', { hasText: 'What filters did' });
    await activity.getByText('Gatehouse cannot be reached').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    expect(context.ui.complaints.splice(0).length).toBeGreaterThan(1);
  });

  it('can be made with the keyboard alone, in a window that is 320 pixels wide', async () => {
    await page().setViewportSize({ width: 320, height: 800 });
    await context.ui.go('/inspectors');
    await button('Create an inspector').focus();
    await page().keyboard.press('Enter');
    await field('Name').focus();
    await page().keyboard.type('N'.repeat(90));
    await page().keyboard.press('Tab');
    await page().keyboard.press('Tab');
    await page().keyboard.type('https://guard.example.com');
    await page().keyboard.press('Enter');
    await page()
      .getByRole('heading', { name: 'N'.repeat(90) })
      .waitFor();
    expect(await context.ui.overflows()).toBe(false);
    expect(await context.ui.barriers()).toEqual([]);
    await context.ui.go('/inspectors');
    await page()
      .getByRole('link', { name: 'N'.repeat(90) })
      .waitFor();
    expect(await context.ui.overflows()).toBe(false);
  });
});

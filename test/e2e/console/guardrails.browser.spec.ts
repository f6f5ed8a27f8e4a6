import type { Guardrail } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import { keepRecordsBefore, recordUsed } from '../usage/used-generations.js';
import { consolePerTest } from './console-browser.js';

describe('the guardrails in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const button = (name: string) => page().getByRole('button', { name });

  const guardrailsOfOrganization = async (): Promise<readonly Guardrail[]> => {
    const { managementKey: key } = context.organization;
    return (await context.app.api.get<{ data: Guardrail[] }>('/guardrails', { key })).body.data;
  };

  const say = async (key: string, content: string): Promise<number> => {
    const json = { model: 'gatehouse/echo', messages: [{ role: 'user', content }] };
    return (await context.app.api.post('/chat/completions', { key, json })).status;
  };

  const save = () => context.ui.save('The guardrail was saved.');

  const trial = () => page().locator('section', { has: page().getByRole('heading', { name: 'What would this do?' }) });

  it('are tried, made, tried again, assigned to a key, and then bite: 200 before, 403 after', async () => {
    const { plaintext } = await context.app.factory.key(context.organization);
    const secret = 'Call PROJECT-1234 today';
    expect(await say(plaintext, secret)).toBe(200);

    await context.ui.go('/guardrails');
    await page().getByRole('heading', { name: 'Defaults of workspaces' }).waitFor();
    await page().getByText('There are no guardrails').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create a guardrail').click();
    await page().getByLabel('Name', { exact: true }).fill('No projects');
    await page().getByLabel('E-mail addresses').selectOption('redact');
    await button('Add a pattern of your own').click();
    await page().getByLabel('Regular expression (RE2)').fill('PROJECT-[0-9]{4}');
    await page().getByLabel('What happens to a match').selectOption('block');
    await page().getByRole('textbox', { name: 'Allowed models' }).fill('gatehouse/echo\n\n');
    await page().getByLabel('Limit in US dollars').fill('5');
    expect(await context.ui.barriers()).toEqual([]);

    await page().getByLabel('Model', { exact: true }).fill('gatehouse/echo');
    await page().getByLabel('Message').fill(secret);
    await button('Try it').click();
    await trial().getByText('It would be refused with 403').waitFor();
    // Where it was blocked before, no endpoint was looked for.
    expect(await trial().getByRole('heading', { name: 'Endpoints that would be tried' }).count()).toBe(0);
    await page().getByLabel('What happens to a match').selectOption('redact');
    await trial().getByText('It would be sent').waitFor();
    expect((await guardrailsOfOrganization()).map(({ name }) => name)).not.toContain('No projects');
    await page().getByLabel('What happens to a match').selectOption('block');
    await trial().getByText('It would be refused with 403').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create the guardrail').click();

    await page().getByRole('heading', { name: 'No projects' }).waitFor();
    const made = (await guardrailsOfOrganization()).find(({ name }) => name === 'No projects');
    expect(made).toMatchObject({
      allowed_models: ['gatehouse/echo-1'],
      limit_usd: 5,
      reset_interval: 'monthly',
      content_filter_builtins: [{ slug: 'email', action: 'redact' }],
      content_filters: [{ pattern: 'PROJECT-[0-9]{4}', action: 'block' }],
    });

    await page().getByLabel('Model', { exact: true }).fill('gatehouse/echo');
    await page().getByLabel('Message').fill(secret);
    await button('Try it').click();
    await page().getByText('It would be refused with').waitFor();
    await page().getByLabel('Message').fill('Write to ada@example.com <b>');
    await button('Try it').click();
    await page().getByText('It would be sent').waitFor();
    expect(await page().locator('.steps pre').textContent()).toBe('Write to [EMAIL] <b>');
    expect(await context.ui.barriers()).toEqual([]);

    const keys = page().locator('section', { has: page().getByRole('heading', { name: 'Assigned to keys' }) });
    await keys.getByLabel('Key').selectOption({ index: 1 });
    await keys.getByRole('button', { name: 'Assign' }).click();
    await keys.locator('tbody tr').waitFor();
    expect(await say(plaintext, secret)).toBe(403);
    await keys.getByRole('button', { name: /^Remove from/ }).click();
    await keys.getByText('It is assigned to no key.').waitFor();
    expect(await say(plaintext, secret)).toBe(200);
  });

  it('show what a change would do before it is saved, and say at its field what is wrong (400)', async () => {
    const made = await context.app.factory.guardrail(context.organization, {
      name: 'Changing',
      ignored_models: ['gatehouse/echo'],
    });
    await context.ui.go(`/guardrails/${made.id}`);
    await page().getByLabel('Model', { exact: true }).fill('gatehouse/echo');
    await page().getByLabel('Message').fill('Hello');
    await button('Try it').click();
    await page().getByText('It would be refused with').waitFor();

    await page().getByRole('textbox', { name: 'Ignored models' }).fill('');
    await page().getByText('It would be sent').waitFor();
    expect((await guardrailsOfOrganization()).find(({ id }) => id === made.id)!.ignored_models).toHaveLength(1);
    await page().getByLabel('Limit in US dollars').fill('7');
    await page().getByLabel('Resets').selectOption('daily');
    await save();
    expect((await guardrailsOfOrganization()).find(({ id }) => id === made.id)).toMatchObject({
      ignored_models: null,
      limit_usd: 7,
      reset_interval: 'daily',
    });

    await page().getByRole('textbox', { name: 'Allowed models' }).fill('no/such-model');
    await trial().getByRole('alert').getByText('guardrail.allowed_models[0]').waitFor();
    await button('Save').click();
    await page().locator('form').getByRole('alert').waitFor();
    expect(await page().getByRole('textbox', { name: 'Allowed models' }).getAttribute('aria-invalid')).toBe('true');
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400'), expect.stringContaining('400')]);
  });

  it('are tried with an answer of the model too, before they are saved', async () => {
    await context.ui.go('/guardrails/new');
    await page().getByLabel('E-mail addresses').selectOption('redact');
    await page()
      .getByRole('group', { name: 'E-mail addresses: applies to' })
      .getByLabel('Answers', { exact: true })
      .check();
    await page().getByLabel('Model', { exact: true }).fill('gatehouse/echo');
    await page().getByLabel('Message').fill('Hello');
    await page().getByText('Try an answer too').click();
    await page().getByLabel('Answer of the model').fill('Ask ada@example.com <b>');
    await page().getByLabel('Arguments of a tool that it calls').fill('{"to":"ada@example.com"}');
    await button('Try it').click();
    await trial().getByText('It would reach the client without what is redacted.').waitFor();
    expect(await trial().locator('pre').allTextContents()).toEqual(['Ask [EMAIL] <b>']);
    expect(await context.ui.barriers()).toEqual([]);
    await page().getByLabel('E-mail addresses').selectOption('block');
    await trial().getByText('It would not reach the client. Answer blocked by content filter: [EMAIL]').waitFor();
    await trial().getByText('blocks 1 place in what is said').waitFor();
  });

  it('say where their filters apply, keep that when they are saved, and show it at a key', async () => {
    const { hash } = await context.app.factory.key(context.organization);
    const made = await context.app.factory.guardrail(context.organization, {
      name: 'Places',
      content_filter_builtins: [{ slug: 'email', action: 'block', applies_to: ['response'] }],
      content_filters: [{ pattern: 'PROJECT-[0-9]{4}', action: 'redact', label: '[PROJECT]' }],
      mcp_argument_rules: [{ tool: 'docs/search', schema: { maxProperties: 3 } }],
    });
    await context.ui.go(`/guardrails/${made.id}`);
    const places = (filter: string) => page().getByRole('group', { name: `${filter}: applies to` });
    await places('E-mail addresses').getByLabel('Arguments of tools').check();
    await places('Pattern 1').getByLabel('Requests').uncheck();
    await page().getByLabel('Telephone numbers').selectOption('flag');
    await button('Add a rule').click();
    await page().getByLabel('Tool of rule 2').fill('docs/*');
    await page().getByLabel('Schema of rule 2').fill('{"maxProperties": 2}');
    expect(await places('Telephone numbers').getByRole('checkbox', { checked: true }).count()).toBe(2);
    expect(await context.ui.barriers()).toEqual([]);
    await save();
    const saved = (await guardrailsOfOrganization()).find(({ id }) => id === made.id)!;
    expect(saved.content_filter_builtins).toMatchObject([
      { slug: 'email', applies_to: ['response', 'tool_call'] },
      { slug: 'phone' },
    ]);
    expect(saved.content_filter_builtins![1]).not.toHaveProperty('applies_to');
    expect(saved.content_filters).toMatchObject([{ applies_to: ['tool_result'] }]);
    expect(saved.mcp_argument_rules).toEqual([
      { tool: 'docs/search', schema: { maxProperties: 3 } },
      { tool: 'docs/*', schema: { maxProperties: 2 } },
    ]);

    await places('Pattern 1').getByLabel('Results of tools').uncheck();
    await button('Save').click();
    await places('Pattern 1').locator('.issue').waitFor();
    await places('Pattern 1').getByLabel('Requests').check();
    await page().getByLabel('Schema of rule 1').fill('{"maxProperties":');
    await button('Save').click();
    await page().locator('[aria-invalid]').and(page().getByLabel('Schema of rule 1')).waitFor();
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400'), expect.stringContaining('400')]);

    const { managementKey: key } = context.organization;
    await context.app.api.post(`/guardrails/${made.id}/assignments/keys`, { key, json: { key_hashes: [hash] } });
    await context.ui.go(`/keys/${hash}`);
    await page().getByText('Content filters: 3').click();
    await page().getByText('email is blocked in answers, arguments of tools that answers call').waitFor();
    await page().getByText('[PROJECT] is redacted in results of tools').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
  });

  it('that only observe say in the trial what they would do, and refuse nothing (200)', async () => {
    const { plaintext, hash } = await context.app.factory.key(context.organization);
    const made = await context.app.factory.guardrail(context.organization, {
      name: 'Next policy',
      ignored_models: ['gatehouse/echo'],
    });
    await context.app.api.post(`/guardrails/${made.id}/assignments/keys`, {
      key: context.organization.managementKey,
      json: { key_hashes: [hash] },
    });
    const { status } = await context.app.api.post('/limits', {
      key: context.organization.managementKey,
      json: { name: 'Few', group_by: ['workspace'], measure: 'requests', amount: 5, window: 'daily' },
    });
    expect(status).toBe(201);
    await context.ui.go(`/guardrails/${made.id}`);
    await page().getByLabel('Enforcement').selectOption('observe');
    await page().getByLabel('Model', { exact: true }).fill('gatehouse/echo');
    await page().getByLabel('Message').fill('Hello');
    await button('Try it').click();
    await trial().getByText('It would be sent').waitFor();
    await trial().getByText('The guardrail Next policy would have refused it (model)').waitFor();
    await trial().getByText('Few for workspace Default: 5 of 5 left').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await save();
    expect(await say(plaintext, 'Hello')).toBe(200);

    await context.ui.go('/guardrails');
    await page().locator('tbody tr', { hasText: 'Next policy' }).getByText('Observes').waitFor();
    await context.ui.go(`/guardrails/${made.id}`);
    await page().getByLabel('Enforcement').selectOption('enforce');
    await save();
    expect(await say(plaintext, 'Hello')).not.toBe(200);
  });

  it('are replayed as the form is, over requests that were answered (200), and tell which they would have refused', async () => {
    const key = await context.app.factory.key(context.organization);
    await keepRecordsBefore(context.app, 1);
    const [model, createdAt] = ['gatehouse/echo', new Date(Date.now() - 120_000)];
    await recordUsed(context.app, context.organization, key, [
      { model, createdAt, details: { requestedModel: model } },
    ]);
    const made = await context.app.factory.guardrail(context.organization, { name: 'Replayed' });
    await context.ui.go(`/guardrails/${made.id}`);
    await page().getByRole('textbox', { name: 'Ignored models' }).fill('gatehouse/echo');
    await page().getByLabel('Records to').fill('2999-01-01T00:00');
    await button('Replay').click();
    await page().getByRole('alert').waitFor();
    expect(await page().getByLabel('Records to').getAttribute('aria-invalid')).toBe('true');
    // The browser writes every 400 into its console.
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await page().getByLabel('Records to').fill(new Date().toISOString().slice(0, 16));
    await button('Replay').click();

    const section = page().locator('section', { has: page().getByText('Would have been refused') });
    await section.getByText('1 records were looked at.').waitFor();
    await section.locator(`a[href$="/keys/${key.hash}"]`).waitFor();
    await section.locator('tbody tr', { hasText: 'model' }).getByText('refused').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await page().reload();
    await section.getByText('Finished').waitFor();
    await section.getByText('Requests that would have been refused').click();
    await section.locator('details a').click();
    await page().getByRole('heading', { name: 'Decision' }).waitFor();
  });

  it('are there again as they were typed when the form was left for another page, until they are made', async () => {
    await context.ui.go('/guardrails');
    await button('Create a guardrail').click();
    await page().getByLabel('Name', { exact: true }).fill('Half filled in');
    await page().getByRole('link', { name: 'Keys', exact: true }).click();
    await page().getByRole('heading', { name: 'Keys' }).waitFor();
    await page().goBack();
    expect(await page().getByLabel('Name', { exact: true }).inputValue()).toBe('Half filled in');
    await button('Create the guardrail').click();
    await page().getByRole('heading', { name: 'Half filled in' }).waitFor();

    await page().getByLabel('Limit in US dollars').fill('3');
    await page().getByRole('link', { name: 'Guardrails', exact: true }).first().click();
    await page().getByRole('link', { name: 'Half filled in' }).click();
    await button('Save').waitFor();
    expect(await page().getByLabel('Limit in US dollars').inputValue()).toBe('3');
    await page().getByRole('link', { name: 'Guardrails', exact: true }).first().click();
    await button('Create a guardrail').click();
    expect(await page().getByLabel('Name', { exact: true }).inputValue()).toBe('');
  });

  it('are assigned to a member, and deleted', async () => {
    const made = await context.app.factory.guardrail(context.organization, { name: 'Leaving' });
    await context.ui.go(`/guardrails/${made.id}`);
    const members = page().locator('section', { has: page().getByRole('heading', { name: 'Assigned to members' }) });
    await members.getByLabel('Member').selectOption({ index: 1 });
    await members.getByRole('button', { name: 'Assign' }).click();
    await members.locator('tbody tr').waitFor();
    await button('Delete').click();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Delete the guardrail').click();
    await page().waitForURL(/\/guardrails$/);
    expect((await guardrailsOfOrganization()).map(({ name }) => name)).not.toContain('Leaving');
  });

  it('can be changed in a window that is 320 pixels wide', async () => {
    const made = await context.app.factory.guardrail(context.organization, { name: 'N'.repeat(60) });
    await page().setViewportSize({ width: 320, height: 800 });
    await context.ui.go(`/guardrails/${made.id}`);
    await button('Save').waitFor();
    expect(await context.ui.overflows()).toBe(false);

    await context.app.factory.workspace(context.organization, 'W'.repeat(85));
    await context.ui.go('/guardrails');
    await page()
      .getByRole('link', { name: 'W'.repeat(85) })
      .waitFor();
    expect(await context.ui.overflows()).toBe(false);
  });
});

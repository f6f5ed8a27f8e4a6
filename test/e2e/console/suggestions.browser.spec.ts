import type { Locator } from 'playwright-core';
import type { Limit } from '../../../src/modules/limits/dto/limit.dto.js';
import type { Workspace } from '../../../src/modules/workspaces/dto/workspace.dto.js';
import { madeMcpServer } from '../../support/resources/mcp-servers.js';
import { consolePerTest } from './console-browser.js';

describe('the suggestions in the console', () => {
  const context = consolePerTest({ ALLOW_PRIVATE_DESTINATIONS: 'true' });
  const page = () => context.ui.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const management = () => ({ key: context.organization.managementKey });

  /** What is suggested at a field that is entered, once there is something. */
  const suggestedAt = async (field: Locator): Promise<readonly string[]> => {
    await field.focus();
    const list = page().locator(`datalist[id="${await field.getAttribute('list')}"] option`);
    await list.first().waitFor({ state: 'attached' });
    return list.evaluateAll((options) => options.map((option) => (option as unknown as { value: string }).value));
  };

  const askWith = async (key: string, about: object, headers: Readonly<Record<string, string>> = {}): Promise<void> => {
    const json = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }], ...about };
    expect((await context.app.api.post('/chat/completions', { key, json, headers })).status).toBe(200);
  };

  it('are end users that are registered (201), and MCP servers with all of their tools', async () => {
    const registered = await context.app.api.post('/external-users', { ...management(), json: { user: 'customer-7' } });
    expect(registered.status).toBe(201);
    const { name: server } = await madeMcpServer(context.app, context.organization);
    await context.ui.go('/limits');
    await button('Create a limit').click();
    await button('Add a condition').click();
    const compared = page().getByLabel('What is compared');
    const isOneOf = page().getByRole('combobox', { name: 'Pick one for Is one of' });
    await compared.selectOption({ label: 'End user' });
    expect(await suggestedAt(isOneOf)).toEqual(['customer-7']);
    await compared.selectOption({ label: 'MCP server' });
    await page().locator(`datalist option[value="${server}"]`).first().waitFor({ state: 'attached' });

    await context.ui.go('/guardrails/new');
    const tools = page().getByRole('combobox', { name: 'Pick one for Allowed tools of MCP servers' });
    expect(await suggestedAt(tools)).toEqual([`${server}/*`]);
    await tools.fill(`${server}/*`);
    await page().keyboard.press('Enter');
    expect(await page().getByRole('textbox', { name: 'Allowed tools of MCP servers' }).inputValue()).toBe(
      `${server}/*`,
    );
  });

  it('are for an exception the end users and sessions of requests (200) that the limit has counted by', async () => {
    const { plaintext: key } = await context.app.factory.key(context.organization);
    const json = { name: 'Of each', measure: 'requests', window: 'daily', amount: 5, group_by: ['user', 'session'] };
    const { status, body } = await context.app.api.post<{ data: Limit }>('/limits', { ...management(), json });
    expect(status).toBe(201);
    await askWith(key, { user: 'bob', session_id: 'chat-2' });
    await askWith(key, { user: 'ada', session_id: 'chat-1' });
    await askWith(key, { user: 'ada', session_id: 'chat-1' });
    await context.ui.go(`/limits/${body.data.id}`);
    await button('Create an exception').click();
    expect(await suggestedAt(page().getByLabel('End user', { exact: true }))).toEqual(['ada', 'bob']);
    expect(await suggestedAt(page().getByLabel('Session', { exact: true }))).toEqual(['chat-1', 'chat-2']);
  });

  it('are for the labels that a workspace allows each value that requests (200) had, and any, which are allowed together', async () => {
    const { plaintext: key } = await context.app.factory.key(context.organization);
    const { workspaceId } = context.organization;
    for (const team of ['search', 'ads']) await askWith(key, {}, { 'X-Labels': `team=${team},env=test` });
    await context.ui.go(`/workspaces/${workspaceId}`);
    const labels = page().getByRole('combobox', { name: /^Pick one for Allowed labels/ });
    const suggested = await suggestedAt(labels);
    expect([...suggested].sort()).toEqual(['env=*', 'env=test', 'team=*', 'team=ads', 'team=search']);
    for (const label of ['team=search', 'team=ads', 'env=test', 'env=*']) {
      await labels.fill(label);
      await page().keyboard.press('Enter');
    }
    const saved = page().waitForResponse((response) => response.request().method() === 'PATCH');
    await button('Save').click();
    expect((await saved).status()).toBe(200);
    const { body } = await context.app.api.get<{ data: Workspace }>(`/workspaces/${workspaceId}`, management());
    expect(body.data.allowed_labels).toEqual({ team: ['search', 'ads'], env: '*' });
    expect(await context.ui.barriers()).toEqual([]);
  });
});

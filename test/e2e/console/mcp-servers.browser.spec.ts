import { madeMcpServer, MCP_SECRET, seenTool } from '../../support/resources/mcp-servers.js';
import type { GenerationDetails } from '../../../src/modules/generations/generation-details.js';
import { recordUsed, type UsedGeneration } from '../usage/used-generations.js';
import { ConsoleBrowser, consolePerTest } from './console-browser.js';

describe('the MCP servers in the console', () => {
  const context = consolePerTest({ ALLOW_PRIVATE_DESTINATIONS: 'true' });
  const page = () => context.ui.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const field = (name: string) => page().getByLabel(name, { exact: true });

  it('are added with a secret that is never shown, changed, disabled and deleted', async () => {
    await context.ui.go('/mcp-servers');
    await page().getByText('There are no MCP servers yet.').waitFor();
    expect(await context.ui.calledOperations()).toEqual(['GET /mcp-servers', 'POST /analytics/query']);
    await button('Add a server').click();
    await field('Name').fill('github');
    await field('Address').fill('https://mcp.example.com/mcp');
    await field('It is shown').selectOption('bearer');
    await field('Secret').fill(MCP_SECRET);
    expect(await context.ui.barriers()).toEqual([]);
    await button('Add the server').click();
    await page().getByText('None were seen yet.').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    expect(await page().content()).not.toContain(MCP_SECRET);

    await field('Enabled').uncheck();
    await field('All workspaces').uncheck();
    await page().getByText('Prices and time').click();
    await field('Prices of single tools').fill('search_code=0.01');
    await context.ui.save('The server was saved.');
    const { body } = await context.app.api.get<{ data: object[] }>('/mcp-servers', {
      key: context.organization.managementKey,
    });
    expect(body.data).toMatchObject([
      {
        name: 'github',
        authentication: 'bearer',
        enabled: false,
        workspace_ids: [],
        tool_prices: { search_code: 0.01 },
        secret: expect.any(String) as unknown,
      },
    ]);
    await button('Delete').click();
    await button('Delete the server').click();
    await page().getByText('There are no MCP servers yet.').waitFor();
  });

  it('are refused at the field that is wrong (400), and a test says why a server gives no tools', async () => {
    await context.ui.go('/mcp-servers/new');
    await field('Name').fill('Not A Name');
    await field('Address').fill('https://mcp.example.com/mcp');
    await button('Add the server').click();
    await page().getByRole('alert').waitFor();
    expect(await field('Name').getAttribute('aria-invalid')).toBe('true');
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('400')]);

    const { id } = await madeMcpServer(context.app, context.organization, { url: 'https://127.0.0.1:1/mcp' });
    await context.ui.go(`/mcp-servers/${id}`);
    await button('Test').click();
    await page().getByText('The server gave no tools:').waitFor();
    await page().getByText('Does not answer').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
  });

  it('have their tools approved as they are looked at, and one that has changed is shown with the difference', async () => {
    const { app, organization } = context;
    const { id } = await madeMcpServer(app, organization);
    const first = await seenTool(app, organization, id);
    const second = await seenTool(app, organization, id, true);
    await app.rows(
      `UPDATE mcp_tools SET digest = $3, definition = jsonb_set(definition, '{description}', '"<b>Deletes</b> all"')
        WHERE organization_id = $1 AND server_id = $2::uuid AND name = $4`,
      [organization.organizationId, id, 'b'.repeat(64), second.name],
    );
    await context.ui.go(`/mcp-servers/${id}`);
    await page().getByText('In quarantine').waitFor();
    await page().getByText('What has changed', { exact: true }).waitFor();
    expect(await page().getByText('<b>Deletes</b> all').count()).toBeGreaterThan(0);
    expect(await context.ui.barriers()).toEqual([]);

    await button(`Approve ${first.name}`).click();
    await button(`Revoke the approval of ${first.name}`).waitFor();
    await button(`Approve ${second.name}`).click();
    await page().getByText('In quarantine').waitFor({ state: 'detached' });
    await button(`Revoke the approval of ${second.name}`).click();
    await page().getByText('New: not approved').waitFor();
    const tools = await app.rows(
      'SELECT name, approved_digest FROM mcp_tools WHERE organization_id = $1 ORDER BY length(name), name',
      [organization.organizationId],
    );
    expect(tools).toEqual([
      { name: first.name, approved_digest: first.digest },
      { name: second.name, approved_digest: null },
    ]);
  });

  it('are listed with the calls (200, 403, 502) of the last day, which lead to these, and those of a tool', async () => {
    const { app, organization } = context;
    const { id, name } = await madeMcpServer(app, organization);
    const tool = await seenTool(app, organization, id, true);
    await madeMcpServer(app, organization, { name: 'idle' });
    const key = await app.factory.key(organization);
    const called = (status: number, isAsked: boolean, details: Partial<GenerationDetails> = {}): UsedGeneration => ({
      model: `mcp:${name}/${tool.name}`,
      provider: isAsked ? `mcp:${name}` : null,
      status,
      details: {
        apiType: 'mcp',
        mcp: { method: 'tools/call', server: name, protocolVersion: '2026-07-28', ...details.mcp },
        ...(status === 403 && { refusal: 'mcp_tool_not_approved' }),
      },
    });
    const failing = {
      mcp: { method: 'tools/call', server: name, protocolVersion: '2026-07-28', isError: true },
    } as const;
    await recordUsed(app, organization, key, [
      called(200, true),
      called(200, true, failing),
      called(502, true),
      called(403, false),
      { model: 'acme/other' },
    ]);
    await context.ui.go('/mcp-servers');
    const row = (server: string) => page().locator('tbody tr', { hasText: server });
    const numbers = (server: string) => row(server).locator('td.number').allTextContents();
    await row(name)
      .getByRole('link', { name: `4 calls of ${name}` })
      .waitFor();
    expect([await numbers(name), await numbers('idle')]).toEqual([
      ['4', '1', '1'],
      ['0', '0', '0'],
    ]);
    expect(await context.ui.barriers()).toEqual([]);

    await row(name)
      .getByRole('link', { name: `4 calls of ${name}` })
      .click();
    await page().waitForURL(/server=/);
    await page().locator('tbody tr').nth(3).waitFor();
    expect(await page().locator('tbody tr').count()).toBe(4);
    expect(await page().getByLabel('MCP server').inputValue()).toBe(name);

    await context.ui.go(`/mcp-servers/${id}`);
    await page()
      .getByRole('link', { name: `Calls of ${tool.name}` })
      .click();
    await page().waitForURL(/tool=/);
    await page().locator('tbody tr').nth(3).waitFor();
    await context.ui.go(`/mcp-servers/${id}`);
    await page().getByRole('link', { name: 'Its calls' }).click();
    await page().waitForURL(/server=/);
  });

  it('can be read in a window that is 320 pixels wide', async () => {
    const { id } = await madeMcpServer(context.app, context.organization, {
      url: `https://${'a'.repeat(60)}.example.com/mcp`,
    });
    await seenTool(context.app, context.organization, id);
    const narrow = await ConsoleBrowser.open(context.browser, context.app, context.organization, 320);
    try {
      await narrow.go(`/mcp-servers/${id}`);
      await narrow.page.getByText('New: not approved').waitFor();
      expect(await narrow.overflows()).toBe(false);
      await narrow.go('/mcp-servers');
      await narrow.page.getByRole('link', { name: /^server-/ }).waitFor();
      expect(await narrow.overflows()).toBe(false);
    } finally {
      await narrow.close();
    }
  });
});

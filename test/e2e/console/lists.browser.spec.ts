import { consolePerTest } from './console-browser.js';

/** More than two pages show. */
const GUARDRAILS = 120;

describe('the lists of the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const names = async (table: string): Promise<string[]> =>
    page().getByRole('region', { name: table }).locator('tbody th a').allTextContents();
  const isFirst = (name: string): Promise<void> =>
    page().locator('tbody tr:first-child th').getByText(name, { exact: true }).waitFor();

  it('are sorted and searched over all of their pages, the newest first, with what is chosen in the address', async () => {
    const { organizationId, workspaceId } = context.organization;
    await context.app.rows(
      `INSERT INTO guardrails (id, organization_id, workspace_id, name, include_byok_in_budgets, created_at)
       SELECT gen_random_uuid(), $1, $2, CASE n WHEN 60 THEN 'Aardvark' ELSE 'Guardrail ' || lpad(n::text, 3, '0') END, false,
         now() - n * interval '1 minute' FROM generate_series(1, $3::int) AS n`,
      [organizationId, workspaceId, GUARDRAILS],
    );
    await context.ui.go('/guardrails');
    await isFirst('Guardrail 001');
    expect(await names('Guardrails')).toHaveLength(50);
    expect(await page().getByRole('columnheader', { name: 'Created' }).getAttribute('aria-sort')).toBe('descending');
    // An order of what this page alone shows would mean nothing.
    expect(await page().getByRole('button', { name: 'Restricts' }).count()).toBe(0);

    await page().getByRole('button', { name: 'Name' }).click();
    await isFirst('Aardvark');
    await page().getByRole('button', { name: 'Name' }).click();
    await isFirst('Guardrail 120');
    await page().getByRole('button', { name: 'Next' }).click();
    await isFirst('Guardrail 070');
    expect(new URL(page().url()).search).toBe('?sort=-name&offset=50');
    await page().reload();
    await isFirst('Guardrail 070');
    expect(await context.ui.barriers()).toEqual([]);

    await page().getByLabel('Search').fill('0 aardvark');
    await page().getByText('Nothing matches the filters.').waitFor();
    await page().getByLabel('Search').fill('AARD');
    await isFirst('Aardvark');
    expect(await names('Guardrails')).toEqual(['Aardvark']);
    expect(new URL(page().url()).search).toBe('?sort=-name&search=AARD');
  });

  it('that are short are there whole, the newest first, and searched in what they show', async () => {
    const { organizationId } = context.organization;
    await context.app.rows(
      `INSERT INTO mcp_servers SELECT row.* FROM generate_series(1, 101) AS n CROSS JOIN LATERAL jsonb_populate_record(
         NULL::mcp_servers, jsonb_build_object('id', gen_random_uuid(), 'organization_id', $1::text, 'name', 'server-' || n,
           'url', 'https://tools-' || n || '.example.com/mcp', 'enabled', true, 'authentication', 'none', 'trusted', false,
           'follow', false, 'tool_prices', '{}'::jsonb, 'timeout_ms', 1000,
           'created_at', now() + n * interval '1 s', 'updated_at', now())) AS row`,
      [organizationId],
    );
    await context.ui.go('/mcp-servers');
    await isFirst('server-101');
    expect(await names('MCP servers')).toHaveLength(101);
    await page().getByRole('button', { name: 'Name' }).click();
    await isFirst('server-1');
    await page().getByRole('searchbox', { name: 'Search' }).fill('TOOLS-77.');
    await isFirst('server-77');
    expect(await names('MCP servers')).toEqual(['server-77']);
    await page().getByRole('searchbox', { name: 'Search' }).fill('nowhere');
    await page().getByText('Nothing matches the search.').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
  });

  it('of one object are sorted and searched over all of their pages as well', async () => {
    const { organizationId, workspaceId } = context.organization;
    await context.app.rows(
      `INSERT INTO users (id, email, name, created_at) SELECT 'user_of_lists_' || n, 'list-' || n || '@example.com',
         CASE n WHEN 60 THEN 'Aardvark' ELSE 'Member ' || lpad(n::text, 3, '0') END, now() FROM generate_series(1, $1::int) AS n`,
      [GUARDRAILS],
    );
    await context.app.rows(
      `INSERT INTO organization_members SELECT row.* FROM (SELECT * FROM organization_members WHERE organization_id = $1 LIMIT 1) AS sample
         CROSS JOIN generate_series(1, $2::int) AS n CROSS JOIN LATERAL jsonb_populate_record(NULL::organization_members, to_jsonb(sample)
           || jsonb_build_object('id', gen_random_uuid(), 'user_id', 'user_of_lists_' || n, 'name', NULL, 'email', NULL,
             'created_at', now() + n * interval '1 s')) AS row`,
      [organizationId, GUARDRAILS],
    );
    await context.ui.go(`/workspaces/${workspaceId}`);
    const members = page().getByRole('region', { name: 'Members' });
    const isFirstMember = (user: string): Promise<void> =>
      members.locator(`tbody tr:first-child th a[href$="${user}"]`).waitFor();
    await isFirstMember('user_of_lists_120');
    await members.getByRole('button', { name: 'Member', exact: true }).click();
    await isFirstMember('user_of_lists_60');
    await page().getByRole('search', { name: 'Search in Members' }).getByLabel('Search').fill('list-77@');
    await isFirstMember('user_of_lists_77');
    expect(await members.locator('tbody tr').count()).toBe(1);
    expect(await context.ui.barriers()).toEqual([]);
  });
});

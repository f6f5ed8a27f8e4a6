import { consolePerTest } from './console-browser.js';

interface Workspace {
  readonly id: string;
  readonly name: string;
}

describe('the workspaces in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const field = (name: string) => page().getByLabel(name, { exact: true });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const heading = (name: string) => page().getByRole('heading', { name, exact: true });
  const management = () => ({ key: context.organization.managementKey });

  const workspaces = async (): Promise<Workspace[]> =>
    (await context.app.api.get<{ data: Workspace[] }>('/workspaces', management())).body.data;

  const membersOf = async (id: string): Promise<string[]> =>
    (
      await context.app.api.get<{ data: { user_id: string }[] }>(`/workspaces/${id}/members`, management())
    ).body.data.map((member) => member.user_id);

  it('are created, get members and lose them, are changed and deleted', async () => {
    const userId = await context.app.factory.member(context.organization.organizationId);
    await context.ui.go('/workspaces');
    await page().getByRole('link', { name: 'Default', exact: true }).waitFor();
    expect(await context.ui.calledOperations()).toEqual(['GET /configuration/objects', 'GET /workspaces']);
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create a workspace').click();
    await heading('New workspace').waitFor();
    await field('Name').fill('Research <b>lab</b>');
    await field('Slug').fill('research');
    await field('Model for text').fill('gatehouse/echo');
    await field('Requests per minute').fill('600');
    await field('Allowed labels, one name=value,value a line').fill('team=search, ads\nenv=*');
    await field('Logs input and output').check();
    await field('Share that is logged').fill('0.5');
    await field('Cache of answers').selectOption('false');
    await field('Disabled server tools, one a line').fill('web_search\n\ncode_execution');
    expect(await context.ui.barriers()).toEqual([]);
    await button('Create the workspace').click();
    await heading('Research <b>lab</b>').waitFor();
    const made = (await workspaces())[1]!;
    expect(made).toMatchObject({
      slug: 'research',
      description: null,
      default_text_model: 'gatehouse/echo',
      rate_limits: { requests_per_minute: 600, tokens_per_minute: null },
      allowed_labels: { team: ['search', 'ads'], env: '*' },
      is_observability_io_logging_enabled: true,
      io_logging_sampling_rate: 0.5,
      is_response_cache_enabled: false,
      disabled_server_tools: ['web_search', 'code_execution'],
    });

    await page().getByText('The workspace has no members yet.').waitFor();
    await button('Add members').click();
    await page().getByRole('combobox', { name: 'Members' }).fill(userId);
    await page().keyboard.press('Enter');
    expect(await context.ui.barriers()).toEqual([]);
    await button('Add the members').click();
    const member = page().locator('tbody tr');
    await member.waitFor();
    expect(await membersOf(made.id)).toEqual([userId]);

    await field('Description').fill('Experiments');
    await context.ui.save('The workspace was saved.');
    expect((await workspaces())[1]).toEqual({
      ...made,
      description: 'Experiments',
      updated_at: expect.anything() as string,
    });

    await member.getByRole('button').click();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Remove the member').click();
    await page().getByText('The workspace has no members yet.').waitFor();
    expect(await membersOf(made.id)).toEqual([]);

    await button('Delete').click();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Delete the workspace').click();
    await heading('Workspaces').waitFor();
    await page().getByText('research', { exact: true }).waitFor({ state: 'detached' });
    expect(await workspaces()).toHaveLength(1);
  });

  it('say what is in the way of a slug (409), of a deletion and of members (400), and keep what was filled in', async () => {
    await context.ui.go('/workspaces/new');
    await field('Name').fill('Second');
    await field('Slug').fill('default');
    await button('Create the workspace').click();
    await page().getByRole('alert').getByText('Another workspace has this slug.').waitFor();
    await page().getByRole('link', { name: 'Workspaces' }).last().click();
    await button('Create a workspace').click();
    await heading('New workspace').waitFor();
    expect(await field('Name').inputValue()).toBe('Second');

    await context.ui.go(`/workspaces/${context.organization.workspaceId}`);
    await button('Delete').click();
    await button('Delete the workspace').click();
    await page().locator('[aria-invalid]').and(field('Also if it is the default workspace')).waitFor();
    await page().keyboard.press('Escape');
    await button('Add members').click();
    await page().getByRole('combobox', { name: 'Members' }).fill('user_nobody');
    await page().keyboard.press('Enter');
    await button('Add the members').click();
    await page().getByRole('dialog').getByRole('alert').waitFor();
    expect(context.ui.complaints.splice(0)).toHaveLength(3);
    expect(await workspaces()).toHaveLength(1);
  });

  it('fit a window that is 320 pixels wide, and say what failed when they cannot be read (500)', async () => {
    await page().setViewportSize({ width: 320, height: 800 });
    const json = { name: 'N'.repeat(100), slug: 's'.repeat(50) };
    await context.app.api.post('/workspaces', { ...management(), json });
    const [, { id }] = (await workspaces()) as [Workspace, Workspace];
    for (const path of ['/workspaces', '/workspaces/new', `/workspaces/${id}`]) {
      await context.ui.go(path);
      await page().waitForLoadState('networkidle');
      expect(await context.ui.overflows()).toBe(false);
      expect(await context.ui.barriers()).toEqual([]);
    }
    await page().route('**/api/v1/workspaces?*', (route) =>
      route.fulfill({ status: 500, json: { error: { message: 'Out of order' } } }),
    );
    await context.ui.go('/workspaces');
    await page().getByRole('alert').getByText('Out of order').waitFor();
    expect(context.ui.complaints.splice(0).length).toBeGreaterThan(0);
  });
});

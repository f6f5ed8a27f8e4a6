import { consolePerTest } from './console-browser.js';

describe('people in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });

  it('come into workspaces by the groups that are mapped there', async () => {
    const { app, organization } = context;
    await app.factory.enableScim(organization);
    await app.factory.scimGroup(organization);
    await app.factory.workspace(organization, 'research');
    await context.ui.go('/groups');
    await button('Map a group').click();
    await page().getByLabel('Workspace', { exact: true }).selectOption({ label: 'research' });
    expect(await context.ui.barriers()).toEqual([]);
    await button('Map the group').click();
    const role = page().getByLabel(/^Role of /);
    await role.selectOption('admin');
    await page().getByText('The role was changed.').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    const mappings = async (): Promise<readonly unknown[]> => {
      const answer = await app.api.get<{ data: unknown[] }>('/scim/group-mappings', {
        key: organization.managementKey,
      });
      return answer.body.data;
    };
    expect(await mappings()).toMatchObject([{ role: 'admin' }]);
    await page()
      .getByRole('button', { name: /^Remove the mapping/ })
      .click();
    await button('Remove the mapping').click();
    await page().getByText('No group leads to a workspace yet.').waitFor();
    expect(await mappings()).toEqual([]);
  });

  it('are provisioned by a directory with a token that is shown once', async () => {
    const { app, organization } = context;
    await app.factory.enableScim(organization);
    await context.ui.go('/settings');
    await button('Create a token').click();
    await page().getByLabel('Name').fill('Directory');
    await button('Create the token').click();
    const token = (await page().locator('.secret code').textContent())!;
    await button('I have kept it').click();
    await page()
      .getByRole('row', { name: /^Directory/ })
      .waitFor();
    expect(await page().content()).not.toContain(token);
    expect(await context.ui.barriers()).toEqual([]);
    await button('Revoke Directory').click();
    await button('Revoke the token').click();
    await page().getByText('No directory has a token yet.').waitFor();
  });

  it('sign out, after which the console asks them to sign in', async () => {
    await context.ui.go('/settings');
    await button('Sign out').click();
    await page().getByText('You are signed out').waitFor();
    await page().goto(`${context.app.origin}/console/keys`);
    await page().waitForURL(/\/auth\/login\?return_to=%2Fconsole%2Fkeys/);
    // The browser writes every 401 into its console.
    for (const complaint of context.ui.complaints.splice(0)) expect(complaint).toContain('401');
  });
});

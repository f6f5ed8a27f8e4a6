import { consolePerTest } from './console-browser.js';

describe('people in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });

  it('are added, made administrators, deactivated, after which their keys are refused (401), reactivated (200) and erased', async () => {
    const { app, organization } = context;
    await context.ui.go('/members');
    await page().locator('tbody tr').waitFor();
    expect(await context.ui.calledOperations()).toEqual(['GET /organization/members']);
    expect(await context.ui.barriers()).toEqual([]);
    await button('Add a member').click();
    await page().getByLabel('Name').fill('Ada <i>Lovelace</i>');
    await page().getByLabel('E-mail address').fill('ada@example.com');
    expect(await context.ui.barriers()).toEqual([]);
    await button('Add the member').click();
    await page().getByRole('link', { name: 'Ada <i>Lovelace</i>' }).click();

    await button('Edit').click();
    await page().getByLabel('Role').selectOption('org:admin');
    await button('Save').click();
    await page().getByText('The member was saved.').waitFor();
    // What somebody else changes then the page has not seen.
    await page().getByText('Administrator', { exact: true }).waitFor();
    const id = new URL(page().url()).pathname.split('/').at(-1)!;
    const member = async (): Promise<unknown> => {
      const path = `/organization/members/${id}`;
      return (await app.api.get<{ data: unknown }>(path, { key: organization.managementKey })).body.data;
    };
    expect(await member()).toMatchObject({ role: 'org:admin', status: 'active', email: 'ada@example.com' });

    await app.api.patch(`/organization/members/${id}`, { key: organization.managementKey, json: { name: 'Ada King' } });
    await button('Deactivate').click();
    await button('Deactivate the member').click();
    await page().getByRole('alert').getByText('it has been changed meanwhile').waitFor();
    // The browser writes every 412 into its console.
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('412')]);
    await button('Cancel').click();
    await page().getByRole('heading', { name: 'Ada King' }).waitFor();

    const json = { name: 'Of Ada', creator_user_id: id };
    const { body } = await app.api.post<{ key: string }>('/keys', { key: organization.managementKey, json });
    const statusOfKey = async (): Promise<number> => (await app.api.get('/key', { key: body.key })).status;
    expect(await statusOfKey()).toBe(200);
    await button('Deactivate').click();
    await button('Deactivate the member').click();
    await button('Reactivate').waitFor();
    expect(await statusOfKey()).toBe(401);
    expect(await context.ui.barriers()).toEqual([]);
    await button('Reactivate').click();
    await button('Deactivate').waitFor();
    expect(await statusOfKey()).toBe(200);

    await button('Deactivate').click();
    await button('Deactivate the member').click();
    await button('Reactivate').waitFor();
    await button('Erase').click();
    await button('Erase the person').click();
    await page().getByText('Ended').waitFor();
    expect(await member()).toMatchObject({ status: 'ended' });
    expect(JSON.stringify(await member())).not.toContain('ada@example.com');
  });

  it('hand all of their keys on, which are then accepted (200) although they are deactivated', async () => {
    const { app, organization } = context;
    const leaver = await app.factory.member(organization.organizationId);
    const next = await app.factory.member(organization.organizationId);
    const json = { name: 'Of the leaver', creator_user_id: leaver };
    const { body } = await app.api.post<{ key: string }>('/keys', { key: organization.managementKey, json });
    await context.ui.go(`/members/${leaver}`);
    await button('Deactivate').click();
    await button('Deactivate the member').click();
    await button('Reactivate').waitFor();
    expect((await app.api.get('/key', { key: body.key })).status).toBe(401);

    await button('Transfer keys').click();
    await page().getByLabel('New owner').selectOption(next);
    expect(await context.ui.barriers()).toEqual([]);
    await button('Transfer the keys').click();
    await page().getByText('One key has a new owner.').waitFor();
    expect((await app.api.get('/key', { key: body.key })).status).toBe(200);
  });

  it('have no groups while SCIM is off (404), which is said with how to switch it on', async () => {
    await context.ui.go('/groups');
    await page().getByText('SCIM is off for this organization').waitFor();
    expect(await page().getByRole('alert').count()).toBe(0);
    expect(await context.ui.barriers()).toEqual([]);
    // The browser writes every 404 into its console.
    for (const complaint of context.ui.complaints.splice(0)) expect(complaint).toContain('404');
  });

  it('are listed in the groups of the directory', async () => {
    const { app, organization } = context;
    await app.factory.enableScim(organization);
    const group = await app.factory.scimGroup(organization);
    await app.factory.scimMembers(organization, group, [organization.userId]);
    await context.ui.go('/groups');
    await page().getByRole('region', { name: 'Groups of the directory' }).getByRole('link').click();
    await page().getByRole('region', { name: 'Members of the group' }).locator('tbody tr').waitFor();
    expect((await context.ui.calledOperations()).filter((call) => call.startsWith('GET /scim/groups/'))).toEqual([
      `GET /scim/groups/${group}/members`,
    ]);
    expect(await context.ui.barriers()).toEqual([]);
  });

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

  it('keep their keys where the settings say so, and are provisioned with a token that is shown once', async () => {
    const { app, organization } = context;
    await app.factory.enableScim(organization);
    await context.ui.go('/settings');
    await page().getByLabel('Keys of members who are deactivated').selectOption('keep_api_keys');
    await page().getByText('The settings were saved.').waitFor();
    const { body } = await app.api.get('/organization/settings', { key: organization.managementKey });
    expect(body).toMatchObject({ data: { keys_of_deactivated_members: 'keep_api_keys' } });

    await button('Create a token').click();
    await page().getByLabel('Name').fill('Directory');
    await page().getByLabel('Issuer').fill('https://example.okta.com');
    await page().getByLabel('Expires').fill('2999-01-31T12:00');
    await button('Create the token').click();
    const token = (await page().locator('.secret code').textContent())!;
    await button('I have kept it').click();
    await page()
      .getByRole('row', { name: /^Directory/ })
      .waitFor();
    expect(await page().content()).not.toContain(token);
    const tokens = await app.api.get('/scim/tokens', { key: organization.managementKey });
    expect(tokens.body).toMatchObject({
      data: [{ name: 'Directory', issuer: 'https://example.okta.com', expires_at: '2999-01-31T12:00:00.000Z' }],
    });
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

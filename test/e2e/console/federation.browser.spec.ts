import { INLINE_KEYS, newIssuer, newPolicy } from '../../support/resources/federation.js';
import { consolePerTest } from './console-browser.js';

const PAGE = '/settings/federation';

describe('workload federation in the console', () => {
  const context = consolePerTest();
  const page = () => context.ui.page;
  const field = (name: string) => page().getByLabel(name, { exact: true });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const heading = (name: string) => page().getByRole('heading', { name, exact: true });
  const invalid = (name: string) => page().locator('[aria-invalid]').and(field(name));
  const management = () => ({ key: context.organization.managementKey });

  const listed = async (kind: 'issuers' | 'policies'): Promise<object[]> =>
    (await context.app.api.get<{ data: object[] }>(`/federation/${kind}`, management())).body.data;

  it('has issuers by discovery and with keys of their own, which are changed and deleted', async () => {
    await context.ui.go(PAGE);
    await page().getByText('Add an issuer first, then a policy that names it.').waitFor();
    expect(await context.ui.calledOperations()).toEqual(['GET /federation/issuers', 'GET /federation/policies']);
    expect(await context.ui.barriers()).toEqual([]);
    await button('Add an issuer').click();
    await field('Name').fill('GitHub <b>Actions</b>');
    await field('Issuer').fill('https://token.actions.githubusercontent.com');
    expect(await context.ui.barriers()).toEqual([]);
    await button('Add the issuer').click();
    await page().getByRole('rowheader', { name: 'GitHub <b>Actions</b>' }).waitFor();

    await button('Add an issuer').click();
    await field('Name').fill('Cluster');
    await field('Issuer').fill('https://kubernetes.default.svc.cluster.local');
    await field('Where its keys are').selectOption('inline');
    await field('Its keys as JSON').fill(JSON.stringify({ keys: INLINE_KEYS.keys }));
    await button('Add the issuer').click();
    await page().getByRole('rowheader', { name: 'Cluster' }).waitFor();
    expect(await listed('issuers')).toMatchObject([
      { name: 'GitHub <b>Actions</b>', jwks: { type: 'discovery' } },
      { name: 'Cluster', jwks: { type: 'inline', keys: [{ kty: 'EC', kid: '1' }] } },
    ]);

    await button('Edit Cluster').click();
    expect(JSON.parse(await field('Its keys as JSON').inputValue())).toMatchObject([{ kid: '1' }]);
    await field('Name').fill('Cluster of Berlin');
    await field('Where its keys are').selectOption('explicit_url');
    await field('Address of its keys').fill('https://keys.example.com/jwks');
    await button('Save').click();
    await page().getByText('https://keys.example.com/jwks').waitFor();
    expect((await listed('issuers'))[1]).toMatchObject({
      name: 'Cluster of Berlin',
      jwks: { type: 'explicit_url', url: 'https://keys.example.com/jwks', keys: null },
    });
    await button('Delete Cluster of Berlin').click();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Delete the issuer').click();
    await page().getByRole('rowheader', { name: 'Cluster of Berlin' }).waitFor({ state: 'detached' });
    expect(await listed('issuers')).toHaveLength(1);
  });

  it('has policies that act as a key, show how a token is exchanged, are disabled and deleted; their issuer stays (409)', async () => {
    const { app, organization } = context;
    const issuer = await newIssuer(app, organization, { name: 'GitHub' });
    const key = await app.factory.key(organization, { name: 'Deployments' });
    await context.ui.go(PAGE);
    await button('Add a policy').click();
    await heading('New policy').waitFor();
    await field('Name').fill('acme/app');
    await field('Issuer').selectOption('GitHub');
    await field('Subject').fill('repo:acme/app:ref:refs/heads/main');
    await field('Condition').fill('"deploy" in scopes');
    expect(await field('Audience').inputValue()).toBe(app.origin);
    await field('Acts as API key').fill('Deploy');
    await page().locator(`datalist option[value="${key.hash}"]`).waitFor({ state: 'attached' });
    await field('Acts as API key').fill(key.hash);
    expect(await context.ui.barriers()).toEqual([]);
    await button('Add the policy').click();
    await heading('acme/app').waitFor();
    const [added] = (await listed('policies')) as [{ id: string }];
    expect(added).toMatchObject({
      issuer_id: issuer,
      subject: 'repo:acme/app:ref:refs/heads/main',
      condition: '"deploy" in scopes',
      audience: app.origin,
      required_scope: null,
      key_hash: key.hash,
      enabled: true,
    });
    const command = (await page().getByLabel('The exchange with curl').textContent())!;
    expect(command).toContain(`federation_policy_id=${added.id}`);
    expect(command).toContain(`${app.origin}/api/v1/oauth/token`);
    expect(await context.ui.barriers()).toEqual([]);

    await field('Subject').fill('');
    await field('Enabled').uncheck();
    await button('Save').click();
    await page().getByText('Disabled', { exact: true }).waitFor();
    expect(await listed('policies')).toMatchObject([{ subject: null, enabled: false }]);

    await page().getByRole('link', { name: 'Workload federation' }).click();
    await page().getByRole('link', { name: 'Deployments' }).waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Delete GitHub').click();
    await button('Delete the issuer').click();
    await page().getByRole('alert').getByText('Policies name this issuer').waitFor();
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('409')]);
    await page().keyboard.press('Escape');
    await page().getByRole('link', { name: 'acme/app' }).click();
    await button('Delete').click();
    expect(await context.ui.barriers()).toEqual([]);
    await button('Delete the policy').click();
    await page().getByText('There are no policies yet.').waitFor();
    expect(await listed('policies')).toEqual([]);
    expect(await listed('issuers')).toHaveLength(1);
  });

  it('says at its field what is wrong with keys, conditions and what acts (400), and keeps a policy that was not sent', async () => {
    await newIssuer(context.app, context.organization);
    await context.ui.go(PAGE);
    await button('Add an issuer').click();
    await field('Name').fill('Bad');
    await field('Issuer').fill('https://issuer.example.com');
    await field('Where its keys are').selectOption('inline');
    await field('Its keys as JSON').fill('no keys');
    await button('Add the issuer').click();
    await invalid('Its keys as JSON').waitFor();
    await field('Where its keys are').selectOption('discovery');
    await field('Issuer').fill('https://127.0.0.1');
    await button('Add the issuer').click();
    await invalid('Issuer').waitFor();
    await page().keyboard.press('Escape');

    await button('Add a policy').click();
    await field('Name').fill('Bad');
    await field('Issuer').selectOption('Issuer');
    await field('Condition').fill('subject.matches("a")');
    await field('Acts as API key').fill('no-such-key');
    await button('Add the policy').click();
    await invalid('Condition').waitFor();
    await field('Condition').fill('');
    await button('Add the policy').click();
    await invalid('Subject').waitFor();
    await field('Subject').fill('repo:acme/app');
    await button('Add the policy').click();
    await invalid('Acts as API key').waitFor();
    expect(context.ui.complaints.splice(0)).toEqual(Array(5).fill(expect.stringContaining('400')));

    await page().getByRole('link', { name: 'Workload federation' }).click();
    await button('Add a policy').click();
    await heading('New policy').waitFor();
    expect(await field('Subject').inputValue()).toBe('repo:acme/app');
    expect([await listed('issuers'), await listed('policies')].map(({ length }) => length)).toEqual([1, 0]);
  });

  it('is changed by the first (200) of two people and not by the second (412)', async () => {
    const issuer = await newIssuer(context.app, context.organization);
    const policy = await newPolicy(context.app, context.organization, { issuer_id: issuer });
    const json = { name: 'Theirs' };
    await context.ui.go(PAGE);
    await button('Edit Issuer').click();
    await field('Name').fill('Mine');
    await context.app.api.patch(`/federation/issuers/${issuer}`, { ...management(), json });
    await button('Save').click();
    await page().getByRole('alert').getByText('it has been changed meanwhile').waitFor();

    await context.ui.go(`${PAGE}/${policy}`);
    await field('Name').fill('Mine');
    await context.app.api.patch(`/federation/policies/${policy}`, { ...management(), json });
    await button('Save').click();
    await heading('Theirs').waitFor();
    expect([...(await listed('issuers')), ...(await listed('policies'))]).toMatchObject([json, json]);
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('412')]);
  });

  it('fits a window that is 320 pixels wide, and says what failed when it cannot be read (500)', async () => {
    await page().setViewportSize({ width: 320, height: 800 });
    const issuer = await newIssuer(context.app, context.organization, {
      name: 'N'.repeat(100),
      issuer: `https://${'a'.repeat(60)}.example.com`,
    });
    const policy = await newPolicy(context.app, context.organization, {
      issuer_id: issuer,
      name: 'N'.repeat(100),
      subject: 's'.repeat(512),
    });
    for (const path of [PAGE, `${PAGE}/new`, `${PAGE}/${policy}`]) {
      await context.ui.go(path);
      await page().waitForLoadState('networkidle');
      expect(await context.ui.overflows()).toBe(false);
      expect(await context.ui.barriers()).toEqual([]);
    }
    await page().route('**/api/v1/federation/**', (route) =>
      route.fulfill({ status: 500, json: { error: { message: 'Out of order' } } }),
    );
    await context.ui.go(PAGE);
    await page().getByRole('alert').getByText('Out of order').first().waitFor();
    expect(context.ui.complaints.splice(0).length).toBeGreaterThan(0);
  });
});

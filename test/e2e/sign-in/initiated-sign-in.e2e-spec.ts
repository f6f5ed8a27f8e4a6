import { Browser } from './browser.js';
import { signingIn } from './signing-in.js';

describe('a sign-in that an identity provider begins', () => {
  const signing = signingIn();
  const { app, connect, link, signIn, loginUrl, session } = signing;

  /** Sends a form of another site to where sign-ins begin. */
  const post = (browser: Browser, url: string, form: Record<string, string>) =>
    browser.send(url, { method: 'POST', form, headers: { 'sec-fetch-site': 'cross-site' } });

  it('answers 303 to a form with the issuer, and signs in to where it leads', async () => {
    await connect();
    await connect({ name: 'Second', client_id: 'another', issuer: 'https://idp.example.com' });
    await link();
    const browser = new Browser();

    const begun = await post(browser, loginUrl(), {
      iss: signing.idp.issuer,
      login_hint: 'ada@idp.example',
      target_link_uri: '/console/keys',
    });
    const ended = await browser.follow(begun.location!, (url) => url.startsWith(`${app.origin}/console`));

    expect(begun.status).toBe(303);
    expect(begun.location).toContain(`${signing.idp.address}/authorize?`);
    expect(signing.idp.lastAuthorization.get('login_hint')).toBe('ada@idp.example');
    expect(ended).toMatchObject({ status: 302, url: `${app.origin}/console/keys` });
    expect((await session(browser)).user.id).toBe(signing.organization.userId);
  });

  it('answers 303 to a form that names the organization, and to one without a body', async () => {
    await connect();
    const { organizationId: organization } = signing.organization;

    const named = await post(new Browser(), `${app.origin}/auth/login`, { organization });
    const empty = await new Browser().send(loginUrl(), { method: 'POST' });

    expect([named.status, empty.status]).toEqual([303, 303]);
  });

  it('answers 400 to a form that has a parameter of the query again, and to a body that is no form', async () => {
    await connect();
    const { organizationId: organization } = signing.organization;

    const again = await post(new Browser(), loginUrl(), { organization });
    const other = await new Browser().send(loginUrl(), {
      method: 'POST',
      form: {},
      headers: { 'content-type': 'application/json' },
    });

    expect([again.status, other.status]).toEqual([400, 400]);
  });

  it('answers 302 to the same parameters in a query', async () => {
    await connect();
    await link();

    const answer = await signIn(new Browser(), { iss: signing.idp.issuer, target_link_uri: '/console/usage' });

    expect(answer.location).toBe(`${app.origin}/console/usage`);
  });
});

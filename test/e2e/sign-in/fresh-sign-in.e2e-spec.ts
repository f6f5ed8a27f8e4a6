import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { SignInLinksService } from '../../../src/modules/sign-in/links/sign-in-links.service.js';
import { Browser, type BrowserAnswer } from './browser.js';
import { now } from './scripted-provider.js';
import { signingIn } from './signing-in.js';

describe('a fresh sign-in', () => {
  const signing = signingIn();
  const { app, connect, link, signIn, session } = signing;

  /** Makes a management key with a session, which needs a fresh sign-in. */
  const makeKey = (browser: Browser): Promise<BrowserAnswer> =>
    browser.send(`${app.origin}/console/api/v1/management-keys`, {
      method: 'POST',
      json: { name: 'Made by a person' },
    });

  /** Signs in with these claims. @returns the status of making a management key then */
  const keyAfter = async (claims: object, parameters: Readonly<Record<string, string>> = {}): Promise<number> => {
    signing.idp.claims = { ...claims };
    const browser = new Browser();
    expect((await signIn(browser, parameters)).status).toBe(302);
    return (await makeKey(browser)).status;
  };

  it('is one with a recent auth_time, after which a key is a 201, and else a 403', async () => {
    await connect();
    await link();

    expect(await keyAfter({ auth_time: now() - 60 })).toBe(201);
    expect(await keyAfter({})).toBe(403);
    expect(await keyAfter({ auth_time: now() - 7_200 })).toBe(403);
    expect(await keyAfter({ auth_time: 100_000_000_000 })).toBe(403);
    expect(await keyAfter({ auth_time: now() + 3_600 })).toBe(403);
  });

  it('says null for when the person proved who they are, where the provider does not say, which is a 200', async () => {
    await connect();
    await link();
    const browser = new Browser();

    await signIn(browser);

    expect((await session(browser)).authenticated_at).toBeNull();
  });

  it('asks the provider again, and answers 400 with what to do where that does not say when', async () => {
    await connect();
    await link();
    const browser = new Browser();

    const answer = await signIn(browser, { step_up: 'true' });

    expect(Object.fromEntries(signing.idp.lastAuthorization)).toMatchObject({ prompt: 'login', max_age: '900' });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('auth_time');
    expect(answer.text).toContain('step_up_without_auth_time');
    expect(answer.text).not.toContain('client secret');
    expect(browser.cookiesOf(app.origin).has('gatehouse')).toBe(false);
  });

  it.each([
    ['that is older', -1_000, 'did not ask you again'],
    ['of the future', 3_600, 'could not be verified'],
  ])('answers 400 to a step-up with an auth_time %s', async (_, seconds, text) => {
    await connect({ step_up_without_auth_time: true });
    await link();
    signing.idp.claims = { auth_time: now() + seconds };

    const answer = await signIn(new Browser(), { step_up: 'true' });

    expect(answer.status).toBe(400);
    expect(answer.text).toContain(text);
  });

  it('is a new sign-in that was asked for, where a 200 has set that for the connection', async () => {
    const id = await connect();
    await link();
    const changed = await app.api.patch(`/sign-in/connections/${id}`, {
      key: signing.organization.managementKey,
      json: { step_up_without_auth_time: true },
    });
    expect(changed).toMatchObject({ status: 200, body: { data: { step_up_without_auth_time: true } } });

    expect(await keyAfter({})).toBe(403);
    expect(await keyAfter({}, { step_up: 'true' })).toBe(201);
    expect(signing.idp.lastAuthorization.get('prompt')).toBe('select_account');

    const events = await app.rows<{ changes: object }>(
      `SELECT changes FROM audit_events WHERE organization_id = $1 AND action = 'sign_in_connection.update'`,
      [signing.organization.organizationId],
    );
    expect(events).toEqual([{ changes: { step_up_without_auth_time: { before: false, after: true } } }]);
  });
});

describe('the session before a new one', () => {
  const signing = signingIn();
  const { app, organization, connect, link, signIn } = signing;

  const newLink = async (): Promise<string> => {
    const { organizationId, userId } = organization;
    return app.origin + (await app.application.get(SignInLinksService).create(COMMAND_LINE, organizationId, userId));
  };

  /** A browser with the cookie that another one has now. */
  const copyOf = (browser: Browser): Browser => {
    const copy = new Browser();
    copy.cookiesOf(app.origin).set('gatehouse', browser.cookiesOf(app.origin).get('gatehouse')!);
    return copy;
  };

  it('ends when the same browser signs in again, in both ways, so that a copy of its cookie gets a 401', async () => {
    await connect();
    await link();
    const [browser, other] = [new Browser(), new Browser()];
    await signIn(browser);
    await signIn(other);
    const first = copyOf(browser);

    await signIn(browser);
    const second = copyOf(browser);
    await browser.send(await newLink(), { method: 'POST', form: {} });

    expect(await Promise.all([first, second, browser, other].map((one) => signing.statusOf(one)))).toEqual([
      401, 401, 200, 200,
    ]);
    const ended = await app.rows(
      `SELECT 1 FROM audit_events WHERE organization_id = $1 AND action = 'session.delete'`,
      [organization.organizationId],
    );
    expect(ended).toHaveLength(2);
  });

  it('ends also when it is of another organization, and stays where the sign-in is refused, which is a 403', async () => {
    await connect();
    await link();
    const browser = new Browser();
    await signIn(browser);
    signing.idp.subject = 'stranger';
    expect((await signIn(browser)).status).toBe(403);
    const copy = copyOf(browser);
    expect(await signing.statusOf(copy)).toBe(200);

    const { organizationId, userId } = await app.factory.organization();
    const elsewhere = await app.application.get(SignInLinksService).create(COMMAND_LINE, organizationId, userId);
    await browser.send(app.origin + elsewhere, { method: 'POST', form: {} });

    expect(await signing.statusOf(copy)).toBe(401);
    expect((await signing.session(browser)).organization.id).toBe(organizationId);
  });
});

describe('the bound of sign-ins', () => {
  const signing = signingIn({ SIGN_INS_PER_MINUTE: '2', TRUST_PROXY: '1' });
  const { app, connect, loginUrl } = signing;

  const from = (address: string, url: string, method: 'GET' | 'POST' = 'GET'): Promise<BrowserAnswer> =>
    new Browser().send(url, {
      method,
      headers: { 'x-forwarded-for': address },
      ...(method === 'POST' && { form: {} }),
    });

  it('answers 429 with a page beyond it, for each address, however a sign-in begins', async () => {
    await connect();
    const linkUrl = `${app.origin}/auth/link/none`;

    const first = await from('192.0.2.1', loginUrl());
    const second = await from('192.0.2.1', linkUrl, 'POST');
    const refused = [
      await from('192.0.2.1', loginUrl()),
      await from('192.0.2.1', loginUrl(), 'POST'),
      await from('192.0.2.1', linkUrl, 'POST'),
    ];
    const elsewhere = await from('192.0.2.2', loginUrl());
    const network = [
      await from('2001:db8::1', loginUrl()),
      await from('2001:db8::2', loginUrl()),
      await from('2001:db8::3', loginUrl()),
    ];

    expect([first.status, second.status, elsewhere.status]).toEqual([302, 400, 302]);
    for (const { status, headers, text } of refused) {
      expect(status).toBe(429);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(text).toContain('Too many sign-ins');
    }
    expect(network.map(({ status }) => status)).toEqual([302, 302, 429]);
  });

  it('counts no page that only asks with which provider, which is a 200', async () => {
    await connect();
    await connect({ name: 'Second', client_id: 'another', issuer: 'https://idp.example.com' });

    for (let time = 0; time < 4; time += 1) expect((await from('192.0.2.9', loginUrl())).status).toBe(200);
  });
});

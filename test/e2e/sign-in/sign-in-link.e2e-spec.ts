import type { GetSessionResponse } from '../../../src/modules/sign-in/dto/session.dto.js';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { MembersService } from '../../../src/modules/organizations/members/members.service.js';
import { SignInLinksService } from '../../../src/modules/sign-in/links/sign-in-links.service.js';
import { Statements } from '../../../src/persistence/statements.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { Browser } from './browser.js';
import { signedInBrowser } from './signed-in.js';

describe('signing in with a link', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  const newLink = async (): Promise<string> => {
    const { organizationId, userId } = organization;
    return app.origin + (await app.application.get(SignInLinksService).create(COMMAND_LINE, organizationId, userId));
  };

  const session = (browser: Browser, headers = {}) => browser.send(`${app.origin}/console/api/v1/session`, { headers });

  it('answers 200 with whom it signs in, and 303 to its button', async () => {
    const [browser, link] = [new Browser(), await newLink()];

    const shown = await browser.send(link);
    const used = await browser.send(link, { method: 'POST', form: {} });
    const current = await session(browser);

    expect(shown.status).toBe(200);
    expect(shown.text).toContain('This link signs you in as');
    expect(shown.headers['content-security-policy']).toContain("default-src 'none'");
    expect(used).toMatchObject({ status: 303, location: `${app.origin}/console` });
    expect(used.headers['set-cookie']).toMatch(/^gatehouse=ss-gate-v2-\S+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(current.status).toBe(200);
    expect((JSON.parse(current.text) as GetSessionResponse).data).toMatchObject({
      user: { id: organization.userId },
      organization: { id: organization.organizationId },
      role: 'admin',
      only_own: false,
      session_id: expect.any(String),
      authenticated_at: expect.any(String),
    });
  });

  it('changes nothing when it is only opened, and answers 400 once it was used', async () => {
    const [browser, link] = [new Browser(), await newLink()];

    await browser.send(link);
    const first = await browser.send(link, { method: 'POST', form: {} });
    const second = await browser.send(link, { method: 'POST', form: {} });
    const opened = await browser.send(link);

    expect(first.status).toBe(303);
    expect(second.status).toBe(400);
    expect(opened.status).toBe(400);
    expect(second.text).toContain('cannot be used');
  });

  it('answers 303 once when it is used many times at once', async () => {
    const link = await newLink();

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => new Browser().send(link, { method: 'POST', form: {} })),
    );

    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
  });

  it.each(['cross-site', 'same-site', 'none'])('answers 403 when the form is sent from a page of %s', async (site) => {
    const [browser, link] = [new Browser(), await newLink()];

    const refused = await browser.send(link, { method: 'POST', form: {}, headers: { 'sec-fetch-site': site } });
    const used = await browser.send(link, { method: 'POST', form: {} });

    expect(refused.status).toBe(403);
    expect(used.status).toBe(303);
  });

  it('answers 400 for a link that never was, of another organization, or cut', async () => {
    const link = await newLink();
    const never = link.replace(/[0-9a-f]{20}$/, '0'.repeat(20));

    for (const url of [never, link.slice(0, -1), `${app.origin}/auth/link/x`, `${app.origin}/auth/link/%00`]) {
      const answer = await new Browser().send(url, { method: 'POST', form: {} });
      expect(answer.status).toBe(400);
    }
  });

  it('records the link and the session, without their secrets', async () => {
    const [browser, link] = [new Browser(), await newLink()];
    await browser.send(link, { method: 'POST', form: {} });

    const events = await app.rows<{ action: string; actor_kind: string; actor_id: string | null }>(
      `SELECT * FROM audit_events WHERE organization_id = $1 AND action IN ('sign_in_link.create', 'session.create')`,
      [organization.organizationId],
    );

    expect(events).toHaveLength(2);
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'sign_in_link.create', actor_kind: 'command_line', actor_id: null }),
        expect.objectContaining({ action: 'session.create', actor_kind: 'session', actor_id: organization.userId }),
      ]),
    );
    expect(JSON.stringify(events)).not.toMatch(/s[sl]-gate-v2/);
  });
});

describe('the operations of the console', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  const signedIn = (): Promise<Browser> => signedInBrowser(app, organization);

  it('answers 200 with the cookie, for what the person may do', async () => {
    const browser = await signedIn();

    const created = await browser.send(`${app.origin}/console/api/v1/guardrails`, {
      method: 'POST',
      json: { name: 'From the console' },
    });
    const listed = await browser.send(`${app.origin}/console/api/v1/guardrails`);

    expect(created.status).toBe(201);
    expect(listed.status).toBe(200);
    expect(listed.text).toContain('From the console');
  });

  it('answers 401 without a session, and with a management key instead of one', async () => {
    const url = `${app.origin}/console/api/v1/guardrails`;

    const without = await new Browser().send(url);
    const withKey = await new Browser().send(url, {
      headers: { authorization: `Bearer ${organization.managementKey}` },
    });
    const withCookieOfNone = await new Browser().send(url, { headers: { cookie: 'gatehouse=ss-gate-v2-x' } });

    for (const { status, text } of [without, withKey, withCookieOfNone]) {
      expect(status).toBe(401);
      expect(JSON.parse(text)).toMatchObject({ error: { metadata: { reason: 'session_missing' } } });
    }
  });

  it('answers 401 below the path of the interface, which reads no cookie', async () => {
    const browser = await signedIn();

    const answer = await browser.send(`${app.origin}${app.environment.apiBasePath}/guardrails`);

    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { message: 'Missing Authentication header' } });
  });

  it('answers 401 to the cookie as a bearer token', async () => {
    const browser = await signedIn();
    const cookie = browser.cookiesOf(app.origin).get('gatehouse');

    const answer = await app.api.get('/guardrails', { key: cookie! });

    expect(answer.status).toBe(401);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring host', { 'sec-fetch-site': 'same-site' }],
    ['no page', { 'sec-fetch-site': 'none' }],
    ['another origin, in an old browser', { 'sec-fetch-site': undefined, origin: 'https://evil.example' }],
    ['nowhere, in an old browser', { 'sec-fetch-site': undefined }],
  ])('answers 403 to a change that comes from %s', async (_, headers) => {
    const browser = await signedIn();

    const answer = await browser.send(`${app.origin}/console/api/v1/guardrails`, {
      method: 'POST',
      json: { name: 'Forged' },
      headers,
    });
    const listed = await browser.send(`${app.origin}/console/api/v1/guardrails`);

    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { metadata: { reason: 'cross_site_request' } } });
    expect(listed.text).not.toContain('Forged');
  });

  it('answers 404 for an operation that does not exist', async () => {
    const browser = await signedIn();

    const answer = await browser.send(`${app.origin}/console/api/v1/nothing`);

    expect(answer.status).toBe(404);
  });

  it('answers 401 from the moment on at which the member is deactivated, and needs a new sign-in after it', async () => {
    const browser = await signedIn();
    const { organizationId, userId } = organization;
    const members = app.application.get(MembersService);
    const change = { organizationId, userIds: [userId], by: 'administrator' } as const;
    await app.application.get(Statements).transaction((tx) => members.deactivate(tx, COMMAND_LINE, change));

    const deactivated = await browser.send(`${app.origin}/console/api/v1/session`);
    await app.application.get(Statements).transaction((tx) => members.reactivate(tx, COMMAND_LINE, change));
    const reactivated = await browser.send(`${app.origin}/console/api/v1/session`);

    expect([deactivated.status, reactivated.status]).toEqual([401, 401]);
  });

  it('answers 200 as long as requests come within an hour of each other, and for 12 hours at most', async () => {
    const browser = await signedIn();
    const idleFor = (minutes: number): Promise<unknown> =>
      app.rows(`UPDATE sessions SET seen_at = seen_at - $2 * interval '1 minute' WHERE organization_id = $1`, [
        organization.organizationId,
        minutes,
      ]);
    for (let time = 0; time < 2; time += 1) {
      await idleFor(40);
      expect((await browser.send(`${app.origin}/console/api/v1/session`)).status).toBe(200);
    }
    const lasting = await app.rows(
      'SELECT expires_at - created_at AS lifetime FROM sessions WHERE organization_id = $1',
      [organization.organizationId],
    );
    expect(lasting).toEqual([{ lifetime: expect.objectContaining({ hours: 12 }) as unknown }]);
  });

  it('answers 401 when the session is over: by time, and without a request for an hour', async () => {
    for (const column of ['expires_at', 'seen_at']) {
      const browser = await signedIn();
      await app.rows(`UPDATE sessions SET ${column} = now() - interval '61 minutes' WHERE organization_id = $1`, [
        organization.organizationId,
      ]);

      const answer = await browser.send(`${app.origin}/console/api/v1/session`);

      expect(answer.status).toBe(401);
    }
  });
});

import type { ListMemberIdentitiesResponse } from '../../../src/modules/sign-in/dto/member-identity.dto.js';
import { formIn } from '../oauth/consenting-person.js';
import { Browser, type BrowserAnswer } from './browser.js';
import { json } from './scripted-provider.js';
import { signedInBrowser, signedInMinutesAgo } from './signed-in.js';
import { signingIn } from './signing-in.js';

describe('linking an account to the member who is signed in', () => {
  const people = signingIn();
  const { app, organization } = people;
  const pageUrl = (): string => `${app.origin}/auth/link-identity`;

  beforeEach(() => {
    people.idp.subject = 'ada-private';
    people.idp.claims = { name: 'Ada <b>Private</b>', email: 'ada@private.example' };
  });

  const subjects = async (): Promise<string[]> => {
    const path = `/organization/members/${organization.userId}/identities`;
    const answer = await app.api.get<ListMemberIdentitiesResponse>(path, { key: organization.managementKey });
    return answer.body.data.map(({ subject, source }) => `${subject} ${source}`);
  };

  /** Sends the form that begins linking. */
  const begin = async (browser: Browser, connection: string, headers = {}): Promise<BrowserAnswer> => {
    const page = await browser.send(pageUrl());
    expect(page.status).toBe(200);
    return browser.send(pageUrl(), { method: 'POST', form: { ...formIn(page), connection }, headers });
  };

  /** Follows a begun linking to the page that asks. */
  const asked = async (browser: Browser, connection: string): Promise<BrowserAnswer> => {
    const begun = await begin(browser, connection);
    expect(begun.status).toBe(303);
    return browser.follow(begun.location!);
  };

  const confirm = (browser: Browser, page: BrowserAnswer, headers = {}): Promise<BrowserAnswer> =>
    browser.send(`${pageUrl()}/confirm`, { method: 'POST', form: formIn(page), headers });

  it('answers 200 with account and member, links nothing before the form there is sent (200), and then signs in with it', async () => {
    const connection = await people.connect();
    const browser = await signedInBrowser(app, organization);
    const { user, organization: its } = await people.session(browser);

    const page = await asked(browser, connection);
    const before = await subjects();
    const linked = await confirm(browser, page);
    const other = new Browser();
    await people.signIn(other);

    expect(page.status).toBe(200);
    for (const shown of [people.idp.issuer, 'ada-private', 'Ada &#60;b&#62;Private', 'ada@private.example']) {
      expect(page.text).toContain(shown);
    }
    for (const shown of [user.name, user.email, its.name]) expect(page.text).toContain(shown);
    expect(before).toEqual([]);
    expect(linked.status).toBe(200);
    expect(await subjects()).toEqual(['ada-private hand']);
    expect((await people.session(other)).user.id).toBe(organization.userId);
    // The session in which it was linked goes on.
    expect(await people.statusOf(browser)).toBe(200);
    const events = await app.rows<{ actor_kind: string; actor_id: string }>(
      `SELECT actor_kind, actor_id FROM audit_events WHERE organization_id = $1 AND action = 'member_identity.create'`,
      [organization.organizationId],
    );
    expect(events).toEqual([{ actor_kind: 'session', actor_id: organization.userId }]);
  });

  it('answers 200 with name and address that the provider says at its UserInfo endpoint alone', async () => {
    const connection = await people.connect();
    const browser = await signedInBrowser(app, organization);
    people.idp.claims = {};
    people.idp.userInfo = () => json({ sub: 'ada-private', name: 'Ada Elsewhere', email: 'ada@elsewhere.example' });

    const page = await asked(browser, connection);

    expect(page.status).toBe(200);
    for (const shown of ['Ada Elsewhere', 'ada@elsewhere.example']) expect(page.text).toContain(shown);
  });

  it.each(['GET', 'POST'] as const)(
    'answers %s of /auth/login with link=true of another site by 302 or 303 to the page of this one, a 200, and asks no provider',
    async (method) => {
      await people.connect();
      const browser = await signedInBrowser(app, organization);
      const headers = { 'sec-fetch-site': 'cross-site' };

      const answer = await browser.send(people.loginUrl({ link: 'true' }), { method, headers });
      const page = await browser.follow(answer.location!);

      expect(answer.status).toBe(method === 'GET' ? 302 : 303);
      expect(answer.location).toMatch(pageUrl());
      expect(page).toMatchObject({ status: 200 });
      expect(people.idp.countOf('/authorize')).toBe(0);
      expect(await subjects()).toEqual([]);
    },
  );

  it.each(['cross-site', 'same-site', 'none'])('answers 403 when a form is sent from a page of %s', async (site) => {
    const connection = await people.connect();
    const browser = await signedInBrowser(app, organization);

    const begun = await begin(browser, connection, { 'sec-fetch-site': site });
    const page = await asked(browser, connection);
    const confirmed = await confirm(browser, page, { 'sec-fetch-site': site });

    expect([begun.status, confirmed.status]).toEqual([403, 403]);
    expect(await subjects()).toEqual([]);
  });

  it('answers 400 to a form that begins linking with the token of another session, or none', async () => {
    const connection = await people.connect();
    const [browser, other] = [await signedInBrowser(app, organization), await signedInBrowser(app, organization)];
    const token = formIn(await other.send(pageUrl()))['token']!;

    const forms: Record<string, string>[] = [{ connection }, { connection, token }, { connection, token: 'x' }];
    for (const form of forms) {
      const answer = await browser.send(pageUrl(), { method: 'POST', form });
      expect(answer.status).toBe(400);
    }
    expect(people.idp.countOf('/authorize')).toBe(0);
  });

  it('answers 400 when a question is answered a second time, in another session, or after its time, and links nothing', async () => {
    const connection = await people.connect();
    const browser = await signedInBrowser(app, organization);
    const first = await asked(browser, connection);
    const other = await signedInBrowser(app, organization);

    const elsewhere = await confirm(other, first);
    await app.rows(`UPDATE sign_in_attempts SET expires_at = now() WHERE organization_id = $1`, [
      organization.organizationId,
    ]);
    const late = await confirm(browser, first);
    expect([elsewhere.status, late.status, await subjects()]).toEqual([400, 400, []]);

    const second = await asked(browser, connection);
    const answers = await Promise.all([confirm(browser, second), confirm(browser, second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    await app.rows('DELETE FROM member_identities WHERE organization_id = $1', [organization.organizationId]);
    const replayed = await confirm(browser, second);
    expect([replayed.status, await subjects()]).toEqual([400, []]);
  });

  it('answers 400 where the person has signed in anew or out since linking began, and asks nothing', async () => {
    const connection = await people.connect();
    const browser = await signedInBrowser(app, organization);
    const begun = await begin(browser, connection);
    const callback = await browser.follow(begun.location!, (url) => url.startsWith(app.origin));
    const another = await signedInBrowser(app, organization);
    browser.cookiesOf(app.origin).set('gatehouse', another.cookiesOf(app.origin).get('gatehouse')!);

    const page = await browser.send(callback.url);

    expect(page.status).toBe(400);
    expect(page.text).toContain('This linking is over');
    expect(await subjects()).toEqual([]);
  });

  it('answers 403 for an account of another member, and 200 for one that is linked already, without a question', async () => {
    const connection = await people.connect();
    const browser = await signedInBrowser(app, organization);
    const userId = await app.factory.member(organization.organizationId);
    const link = async (member: string, subject: string): Promise<void> => {
      const path = `/organization/members/${member}/identities`;
      const json = { issuer: people.idp.issuer, subject };
      expect((await app.api.post(path, { key: organization.managementKey, json })).status).toBe(201);
    };
    await link(userId, 'ada-private');
    await link(organization.userId, 'ada');

    const others = await asked(browser, connection);
    people.idp.subject = 'ada';
    const own = await asked(browser, connection);

    expect(others.status).toBe(403);
    expect(others.text).toContain('linked to another member');
    expect(own.status).toBe(200);
    expect(own.text).toContain('linked already');
    expect(formIn(own)).toEqual({});
  });

  it('answers 401 without a session, and 403 where the person signed in more than 15 minutes ago, at the beginning and at the end', async () => {
    const connection = await people.connect();
    const browser = await signedInBrowser(app, organization);
    const question = await asked(browser, connection);

    const without = await new Browser().send(pageUrl());
    await signedInMinutesAgo(app, organization, 16);
    const page = await browser.send(pageUrl());
    const confirmed = await confirm(browser, question);

    expect(without.status).toBe(401);
    expect([page.status, confirmed.status]).toEqual([403, 403]);
    expect(page.text).toContain('step_up=true');
    expect(await subjects()).toEqual([]);
  });

  it('leaves a link to what the session came from: 200, and 401 for both once a directory takes the member over', async () => {
    const connection = await people.connect({ creates_members: true });
    people.idp.subject = 'stranger';
    people.idp.claims = { email: 'cfo@corp.example', auth_time: Math.floor(Date.now() / 1_000) };
    const browser = new Browser();
    await people.signIn(browser);
    const { user } = await people.session(browser);
    people.idp.subject = 'stranger-too';
    expect((await confirm(browser, await asked(browser, connection))).status).toBe(200);
    const second = new Browser();
    await people.signIn(second);
    expect((await people.session(second)).user.id).toBe(user.id);

    await app.factory.enableScim(organization);
    const { plaintext: key } = await app.factory.provisioningToken(organization.organizationId);
    const taken = await app.api.put(`/scim/v2/Users/${user.id}`, {
      key,
      json: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'cfo@corp.example', externalId: 'x' },
    });

    expect(taken.status).toBe(200);
    expect([await people.statusOf(browser), await people.statusOf(second)]).toEqual([401, 401]);
  });
});

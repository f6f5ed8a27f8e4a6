import { SignJWT } from 'jose';
import type { SignInConnectionResponse } from '../../../src/modules/sign-in/dto/sign-in-connection.dto.js';
import type { GetSessionResponse } from '../../../src/modules/sign-in/dto/session.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { ScimGroupsService } from '../../../src/modules/scim/scim-groups.service.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { formIn } from '../oauth/consenting-person.js';
import { Browser, type BrowserAnswer } from './browser.js';
import { CLIENT } from './client.js';
import { IdentityProvider } from './identity-provider.js';
import { signedInBrowser } from './signed-in.js';

/** A person as a directory sends it. */
const PROVISIONED = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'ada@directory.example',
  externalId: 'ada',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@directory.example', type: 'work', primary: true }],
  active: true,
};

describe('signing in with an identity provider', () => {
  const app = sharedApplication({ variables: { OIDC_ALLOW_PRIVATE_ISSUERS: 'true' } });
  const organization = organizationPerTest(app);
  let idp: IdentityProvider;

  beforeAll(async () => {
    idp = await IdentityProvider.start(app.origin);
  });

  afterAll(async () => {
    await idp.stop();
  });

  beforeEach(() => {
    idp.current = 'ada';
    idp.people.clear();
    idp.people.set('ada', {
      email: 'ada@idp.example',
      name: 'Ada Lovelace',
      given_name: 'Ada',
      family_name: 'Lovelace',
    });
  });

  const connect = async (settings: object = {}, owner: NewOrganization = organization): Promise<string> => {
    const answer = await app.api.post<SignInConnectionResponse>('/sign-in/connections', {
      key: owner.managementKey,
      json: { name: 'Provider', issuer: idp.issuer, client_id: CLIENT.id, client_secret: CLIENT.secret, ...settings },
    });
    expect(answer.status).toBe(201);
    return answer.body.data.id;
  };

  const link = (subject: string, userId = organization.userId) =>
    app.api.post(`/organization/members/${userId}/identities`, {
      key: organization.managementKey,
      json: { issuer: idp.issuer, subject },
    });

  const loginUrl = (parameters: Readonly<Record<string, string>> = {}): string =>
    `${app.origin}/auth/login?${new URLSearchParams({ organization: organization.organizationId, ...parameters }).toString()}`;

  /** Follows a sign-in to the page after it, or the page that refuses. */
  const signIn = (browser: Browser, parameters: Readonly<Record<string, string>> = {}) =>
    browser.follow(loginUrl(parameters), (url) => url.startsWith(app.origin) && !url.includes('/auth/callback'));

  const session = async (browser: Browser): Promise<GetSessionResponse['data']> => {
    const answer = await browser.send(`${app.origin}/console/api/v1/session`);
    expect(answer.status).toBe(200);
    return (JSON.parse(answer.text) as GetSessionResponse).data;
  };

  it('answers 302 through the provider to where the person wanted to go, as the member of the issuer and subject', async () => {
    await connect();
    await link('ada');
    const browser = new Browser();

    const answer = await signIn(browser, { return_to: '/console/keys?status=active' });

    expect(answer).toMatchObject({ status: 302, url: `${app.origin}/console/keys?status=active` });
    expect(await session(browser)).toMatchObject({ user: { id: organization.userId }, role: 'admin' });
    expect([...browser.cookiesOf(app.origin).keys()]).toEqual(['gatehouse']);
  });

  it('answers 403 to who is not known, although the address is that of a member, and says what an administrator does', async () => {
    await connect();
    const [member] = await app.rows<{ email: string }>('SELECT email FROM users WHERE id = $1', [organization.userId]);
    idp.people.set('ada', { email: member!.email, email_verified: true });
    const browser = new Browser();

    const answer = await signIn(browser);

    expect(answer.status).toBe(403);
    expect(answer.text).toContain('You are not a member here yet');
    expect(answer.text).toContain(idp.issuer);
    expect(browser.cookiesOf(app.origin).has('gatehouse')).toBe(false);
  });

  it('answers 302 and makes a member of who is not known, where the provider may', async () => {
    await connect({ creates_members: true });
    const [first, second] = [new Browser(), new Browser()];

    await signIn(first);
    await signIn(second);

    const made = await session(first);
    expect(made).toMatchObject({
      user: { name: 'Ada Lovelace', email: 'ada@idp.example' },
      role: 'member',
      only_own: true,
    });
    expect((await session(second)).user.id).toBe(made.user.id);
  });

  it('answers 403 and adopts no member, where a new member would have the address of another', async () => {
    await connect({ creates_members: true });
    const [member] = await app.rows<{ email: string }>('SELECT email FROM users WHERE id = $1', [organization.userId]);
    idp.people.set('ada', { email: member!.email.toUpperCase() });

    const answer = await signIn(new Browser());

    expect(answer.status).toBe(403);
    expect(answer.text).toContain('exists already');
  });

  it('answers 403 to a member who is deactivated, whatever the provider says', async () => {
    await connect({ creates_members: true });
    const browser = new Browser();
    await signIn(browser);
    const { user } = await session(browser);
    await app.rows(
      `UPDATE organization_members SET deactivated_at = now(), deactivated_by = 'administrator' WHERE user_id = $1`,
      [user.id],
    );

    const answer = await signIn(new Browser());

    expect(answer.status).toBe(403);
    expect(answer.text).toContain('not active');
  });

  it.each([
    ['the issuer', () => idp.issuer, 302],
    ['another issuer', () => 'https://other.example', 403],
    ['none', () => null, 403],
  ])(
    'answers 302 by the externalId of a directory whose token is bound to the issuer, and otherwise 403: bound to %s',
    async (_, issuerOf, status) => {
      await connect({ external_id_claim: 'sub' });
      await app.factory.enableScim(organization);
      const token = await app.api.post<{ token: string }>('/scim/tokens', {
        key: organization.managementKey,
        json: { name: 'Directory', issuer: issuerOf() },
      });
      const user = await app.api.post<object>('/scim/v2/Users', { key: token.body.token, json: PROVISIONED });
      const { id } = JSON.parse(user.text) as { id: string };
      const browser = new Browser();

      const answer = await signIn(browser);

      expect(answer.status).toBe(status);
      if (status === 302) expect((await session(browser)).user.id).toBe(id);
    },
  );

  it.each([
    [['staff', 'gatehouse-admins'], 'admin'],
    [['staff'], 'member'],
    ['gatehouse-admins', 'admin'],
    [undefined, 'admin'],
    [[], 'member'],
  ])('answers 302 and gives the role of the claim %p at each sign-in: %s', async (groups, role) => {
    await connect({
      creates_members: true,
      scopes: ['openid', 'email', 'groups'],
      role_claim: 'groups',
      admin_values: ['gatehouse-admins'],
    });
    idp.people.set('ada', { email: 'ada@idp.example', groups: ['gatehouse-admins'] });
    await signIn(new Browser());
    idp.people.set('ada', { email: 'ada@idp.example', groups });
    const browser = new Browser();

    await signIn(browser);

    expect((await session(browser)).role).toBe(role);
  });

  describe('with a claim for groups', () => {
    /** Makes a group that is mapped to a workspace of its own. @returns the id of the workspace */
    const mappedGroup = async (displayName: string, externalId: string | null): Promise<string> => {
      const groups = app.application.get(ScimGroupsService);
      const id = await groups.add(COMMAND_LINE, organization.organizationId, { displayName, externalId });
      const workspaceId = await app.factory.workspace(organization);
      await app.factory.scimMapping(organization, id, workspaceId);
      return workspaceId;
    };

    const workspacesOf = async (userId: string): Promise<string[]> => {
      const rows = await app.rows<{ workspace_id: string }>(
        'SELECT workspace_id FROM workspace_members WHERE organization_id = $1 AND user_id = $2',
        [organization.organizationId, userId],
      );
      return rows.map((row) => row.workspace_id).sort();
    };

    const signInWith = async (groups: unknown): Promise<string> => {
      idp.people.set('ada', { email: 'ada@idp.example', groups });
      const browser = new Browser();
      expect((await signIn(browser)).status).toBe(302);
      return (await session(browser)).user.id;
    };

    const SETTINGS = { creates_members: true, scopes: ['openid', 'email', 'groups'], group_claim: 'groups' };

    it.each([true, false])(
      'answers 302 and gives the workspaces of the groups at each sign-in, and takes those of others, with SCIM enabled: %p',
      async (isEnabled) => {
        await connect(SETTINGS);
        await app.factory.enableScim(organization);
        const [byId, byName] = [await mappedGroup('Research', 'idp-7'), await mappedGroup('Sales', null)];
        if (!isEnabled) {
          await app.rows('UPDATE organizations SET scim_enabled = false WHERE id = $1', [organization.organizationId]);
        }

        const userId = await signInWith(['idp-7', 'Sales', 'elsewhere']);
        expect(await workspacesOf(userId)).toEqual([byId, byName].sort());
        await signInWith('Sales');
        expect(await workspacesOf(userId)).toEqual([byName]);
        await signInWith(['Sales']);
        await signInWith(undefined);
        expect(await workspacesOf(userId)).toEqual([]);

        const events = await app.rows<{ action: string }>(
          `SELECT action FROM audit_events WHERE organization_id = $1 AND action LIKE 'scim_group.%_members' ORDER BY created_at, id`,
          [organization.organizationId],
        );
        expect(events.map(({ action }) => action)).toEqual([
          'scim_group.add_members',
          'scim_group.add_members',
          'scim_group.remove_members',
          'scim_group.remove_members',
        ]);
      },
    );

    it('answers 302 and changes nothing where a directory has a token, or has written the member, which is a 200', async () => {
      await connect(SETTINGS);
      await app.factory.enableScim(organization);
      const workspaceId = await mappedGroup('Research', null);
      const userId = await signInWith(['Research']);
      await app.factory.provisioningToken(organization.organizationId);
      const endDirectory = () =>
        app.rows('DELETE FROM provisioning_tokens WHERE organization_id = $1', [organization.organizationId]);

      await signInWith([]);
      expect(await workspacesOf(userId)).toEqual([workspaceId]);
      await endDirectory();
      await signInWith([]);
      expect(await workspacesOf(userId)).toEqual([]);

      await signInWith(['Research']);
      const { plaintext: key } = await app.factory.provisioningToken(organization.organizationId);
      const written = await app.api.put(`/scim/v2/Users/${userId}`, { key, json: PROVISIONED });
      expect(written.status).toBe(200);
      await endDirectory();
      await signInWith([]);
      expect(await workspacesOf(userId)).toEqual([workspaceId]);
    });
  });

  it('answers 400 with the words of the provider as text when it refuses', async () => {
    await connect();
    idp.current = null;

    const answer = await signIn(new Browser());

    expect(answer.status).toBe(400);
    expect(answer.text).toContain('access_denied');
    expect(answer.text).toContain('The &#60;b&#62;person&#60;/b&#62; refused.');
  });

  /** The address that the provider sends the browser back to, which the browser does not open. */
  const interrupted = async (browser: Browser): Promise<string> =>
    (await browser.follow(loginUrl(), (url) => url.startsWith(`${app.origin}/auth/callback`))).url;

  it('answers 400 when the answer of the provider is opened a second time, in another browser, or without the cookie', async () => {
    await connect();
    await link('ada');
    const browser = new Browser();
    const callback = await interrupted(browser);

    const elsewhere = await new Browser().send(callback);
    const first = await browser.send(callback);
    const second = await browser.send(callback);

    expect([elsewhere.status, first.status, second.status]).toEqual([400, 302, 400]);
    expect(second.text).toContain('This sign-in is over');
  });

  it('answers 400 when the state, the code or the issuer is another one, and signs no one in', async () => {
    await connect();
    await link('ada');
    for (const [name, value] of Object.entries({
      code: 'another',
      iss: 'https://evil.example',
      state: 'x'.repeat(43),
    })) {
      const browser = new Browser();
      const changed = new URL(await interrupted(browser));
      changed.searchParams.set(name, value);

      const answer = await browser.send(changed.href);

      expect(answer.status).toBe(400);
      expect(browser.cookiesOf(app.origin).has('gatehouse')).toBe(false);
    }
  });

  it('answers 400 when the answer belongs to the sign-in of another tab', async () => {
    await connect();
    await link('ada');
    const browser = new Browser();
    const [one, other] = [new URL(await interrupted(browser)), new URL(await interrupted(browser))];
    one.searchParams.set('code', other.searchParams.get('code')!);

    const mixed = await browser.send(one.href);
    const right = await browser.send(other.href);

    expect(mixed.status).toBe(400);
    // The provider takes back what a code that was used twice has given.
    expect([302, 400]).toContain(right.status);
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example/', '/a\tb', 'javascript:alert(1)'])(
    'answers 302 to the console where %p would lead elsewhere',
    async (returnTo) => {
      await connect();
      await link('ada');

      const answer = await signIn(new Browser(), { return_to: returnTo });

      expect(answer).toMatchObject({ status: 302, url: `${app.origin}/console` });
    },
  );

  it('answers 503 with a page when the provider cannot be reached, and 200 with the choice of several', async () => {
    await connect();
    const second = await connect({ name: 'Second', issuer: 'http://127.0.0.1:9' });

    const choice = await new Browser().send(loginUrl());
    const answer = await new Browser().send(loginUrl({ connection: second }));

    expect(choice.status).toBe(200);
    expect(choice.text).toContain('Second');
    expect(answer.status).toBe(503);
  });

  it('answers 200 with the same page for an organization that does not exist and for one without a provider', async () => {
    const pageOf = async (id: string): Promise<string> => {
      const answer = await new Browser().send(loginUrl({ organization: id }));
      expect(answer.status).toBe(200);
      return answer.text.replaceAll(id, 'ID');
    };

    expect(await pageOf('org_00000000000000000000000000000000')).toBe(await pageOf(organization.organizationId));
  });

  it('answers 200 and links another account to the member who is signed in, asks for it, and confirms it', async () => {
    const connection = await connect();
    const browser = await signedInBrowser(app, organization);
    idp.current = 'ada-private';
    idp.people.set('ada-private', {});

    const page = await browser.follow(loginUrl({ link: 'true' }));
    const form = { ...formIn(page), connection };
    const begun = await browser.send(`${app.origin}/auth/link-identity`, { method: 'POST', form });
    const question = await browser.follow(begun.location!);
    const linked = await browser.send(`${app.origin}/auth/link-identity/confirm`, {
      method: 'POST',
      form: formIn(question),
    });
    const other = new Browser();
    await signIn(other);

    expect(linked.status).toBe(200);
    expect((await session(other)).user.id).toBe(organization.userId);
  });

  const signOut = (browser: Browser, headers = {}): Promise<BrowserAnswer> =>
    browser.send(`${app.origin}/auth/logout`, { method: 'POST', form: {}, headers });

  it('answers 200 to the sign-out, ends the session, and leads to the sign-out of the provider', async () => {
    await connect();
    await link('ada');
    const browser = new Browser();
    await signIn(browser);
    const cookie = browser.cookiesOf(app.origin).get('gatehouse')!;

    const answer = await signOut(browser);
    const replayed = await new Browser().send(`${app.origin}/console/api/v1/session`, {
      headers: { cookie: `gatehouse=${cookie}` },
    });

    expect(answer.status).toBe(200);
    expect(answer.text).toContain(`${idp.issuer}/session/end?`);
    expect(answer.text).toContain('id_token_hint=');
    expect(browser.cookiesOf(app.origin).has('gatehouse')).toBe(false);
    expect(replayed.status).toBe(401);
  });

  it('answers 403 to a sign-out that another site asks for, and the session stays', async () => {
    await connect();
    await link('ada');
    const browser = new Browser();
    await signIn(browser);

    const answer = await signOut(browser, { 'sec-fetch-site': 'cross-site' });

    expect(answer.status).toBe(403);
    await session(browser);
  });

  it('ends the session when the person signs out at the provider, which then answers 401', async () => {
    await connect();
    await link('ada');
    const browser = new Browser();
    await signIn(browser);
    const signedOut = await signOut(new Browser());
    expect(signedOut.status).toBe(200);
    const end = await browser.send(`${idp.issuer}/session/end`);
    const [, secret] = /name="xsrf" value="([^"]+)"/.exec(end.text)!;

    await browser.send(`${idp.issuer}/session/end/confirm`, { method: 'POST', form: { xsrf: secret!, logout: 'yes' } });
    const answer = await browser.send(`${app.origin}/console/api/v1/session`);

    expect(answer.status).toBe(401);
  });

  it('answers 400 to logout tokens that are none: no token, not signed by the provider', async () => {
    await connect();
    await link('ada');
    const browser = new Browser();
    await signIn(browser);
    const forged = await new SignJWT({
      sub: 'ada',
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'logout+jwt' })
      .setIssuer(idp.issuer)
      .setAudience(CLIENT.id)
      .setIssuedAt()
      .setJti('1')
      .sign(new TextEncoder().encode(CLIENT.secret));
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${forged.split('.')[1]}.`;

    for (const token of [forged, none, 'x', '']) {
      const answer = await browser.send(`${app.origin}/auth/backchannel-logout`, {
        method: 'POST',
        form: { logout_token: token },
      });
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toEqual({ error: 'invalid_request' });
    }
    await session(browser);
  });
});

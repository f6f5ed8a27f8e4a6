import type { SignInConnectionResponse } from '../../../src/modules/sign-in/dto/sign-in-connection.dto.js';
import { Browser } from './browser.js';
import { CLIENT } from './client.js';
import { signingIn } from './signing-in.js';

const PROVISIONED = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'ada@directory.example',
  externalId: 'ada',
  active: true,
};

describe('the issuer of an identity provider', () => {
  const signing = signingIn();
  const { app, organization, connect, link, signIn, session, statusOf } = signing;

  const adding = (issuer: string) =>
    app.api.post<SignInConnectionResponse & { error: { message: string } }>('/sign-in/connections', {
      key: organization.managementKey,
      json: { name: 'Provider', issuer, client_id: CLIENT.id, client_secret: CLIENT.secret, creates_members: true },
    });

  /** Adds the provider while it gives no answer, so that nothing is known of it. */
  const connectUnasked = async (settings: object = {}): Promise<string> => {
    signing.idp.isAway = true;
    const id = await connect(settings);
    signing.idp.isAway = false;
    return id;
  };

  /** What the provider is called after a connection, or an identity, was made under its address, as an earlier release let it. */
  const statesOtherwise = (suffix: string): string => (signing.idp.issuer = signing.idp.address + suffix);

  const storedIssuers = async (table: string): Promise<(string | null)[]> => {
    const rows = await app.rows<{ issuer: string | null }>(
      `SELECT issuer FROM ${table} WHERE organization_id = $1 ORDER BY issuer`,
      [organization.organizationId],
    );
    return rows.map(({ issuer }) => issuer);
  };

  it.each([
    ['', '/'],
    ['/', ''],
    ['/realms/a', '/realms/a/'],
    ['/realms/a/', '/realms/a'],
    ['/realms/a', '/realms/b'],
  ])('is a 400 that says the right one where %p was entered and the document states %p', async (entered, stated) => {
    const right = statesOtherwise(stated);

    const refused = await adding(signing.idp.address + entered);

    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('invalid_issuer');
    expect(JSON.stringify(refused.body)).toContain(`exactly: ${right}`);
    expect(await storedIssuers('sign_in_connections')).toEqual([]);
  });

  it('is a 201 where it was entered as the document states it, and where the provider gives no answer', async () => {
    statesOtherwise('/');
    expect((await adding(`${signing.idp.address}/`)).status).toBe(201);
    signing.idp.isAway = true;
    expect((await adding(signing.idp.address)).status).toBe(201);
  });

  it('is taken over at a sign-in, which is a 302, with identities and what directories have said, once for two at once', async () => {
    await connectUnasked({ external_id_claim: 'sub', creates_members: true });
    await link('linked');
    await app.factory.enableScim(organization);
    const token = await app.api.post<{ token: string }>('/scim/tokens', {
      key: organization.managementKey,
      json: { name: 'Directory', issuer: signing.idp.address },
    });
    const user = await app.api.post<object>('/scim/v2/Users', { key: token.body.token, json: PROVISIONED });
    const provisioned = (JSON.parse(user.text) as { id: string }).id;
    const right = statesOtherwise('/');
    const [one, two, directory] = [new Browser(), new Browser(), new Browser()];

    signing.idp.subject = 'linked';
    const both = await Promise.all([signIn(one), signIn(two)]);
    signing.idp.subject = 'ada';
    const third = await signIn(directory);

    expect([...both, third].map(({ status }) => status)).toEqual([302, 302, 302]);
    expect((await session(one)).user.id).toBe(organization.userId);
    expect((await session(two)).user.id).toBe(organization.userId);
    expect((await session(directory)).user.id).toBe(provisioned);
    for (const table of ['sign_in_connections', 'provisioning_tokens', 'scim_users']) {
      expect(await storedIssuers(table)).toEqual([right]);
    }
    expect(new Set(await storedIssuers('member_identities'))).toEqual(new Set([right]));
    const events = await app.rows<{ actor_kind: string; changes: object }>(
      `SELECT actor_kind, changes FROM audit_events
        WHERE organization_id = $1 AND action = 'sign_in_connection.update'`,
      [organization.organizationId],
    );
    expect(events).toEqual([
      { actor_kind: 'service', changes: { issuer: { before: signing.idp.address, after: right } } },
    ]);
  });

  it('is taken over where a person is linked under both texts, which is a 302 as the member that signed in last', async () => {
    await connect();
    await link();
    const before = new Browser();
    await signIn(before);
    const other = await app.factory.member(organization.organizationId);
    const right = `${signing.idp.address}/`;
    const second = await app.api.post(`/organization/members/${other}/identities`, {
      key: organization.managementKey,
      json: { issuer: right, subject: 'ada' },
    });
    expect(second.status).toBe(201);
    statesOtherwise('/');
    // What the provider says of itself is kept for a while, by this process.
    const replica = await app.replica({ OIDC_ALLOW_PRIVATE_ISSUERS: 'true' });
    const browser = new Browser();

    const answer = await browser.follow(
      signing.loginUrl().replace(app.origin, replica.origin),
      (url) => url.startsWith(replica.origin) && !url.includes('/auth/callback'),
    );

    expect(answer.status).toBe(302);
    const shown = await browser.send(`${replica.origin}/console/api/v1/session`);
    expect(JSON.parse(shown.text)).toMatchObject({ data: { user: { id: organization.userId } } });
    expect(await storedIssuers('member_identities')).toEqual([right]);
  });

  it('keeps its text where the organization has the client of the stated one, too, which is a 302 with the same people', async () => {
    const first = await connectUnasked();
    await link();
    const right = statesOtherwise('/');
    await app.rows(
      `INSERT INTO sign_in_connections SELECT organization_id, gen_random_uuid(), 'Twin', $2, client_id, NULL, scopes,
        external_id_claim, creates_members, role_claim, admin_values, enabled, created_at, updated_at
        FROM sign_in_connections WHERE organization_id = $1`,
      [organization.organizationId, right],
    );
    const browser = new Browser();

    for (let time = 0; time < 2; time += 1) {
      expect((await signIn(browser, { connection: first })).status).toBe(302);
      expect((await session(browser)).user.id).toBe(organization.userId);
    }
    expect(await storedIssuers('sign_in_connections')).toEqual([signing.idp.address, right]);
    expect(await storedIssuers('member_identities')).toEqual([right]);
  });

  it.each(['', '/'])(
    'ends sessions after a 302 by a logout token of exactly what it states, which is a 200, stated as %p',
    async (stated) => {
      await connectUnasked();
      await link();
      statesOtherwise(stated);
      const browser = new Browser();
      expect((await signIn(browser)).status).toBe(302);
      // As an earlier release has it, until the next sign-in.
      await app.rows(
        'UPDATE sign_in_connections SET issuer = $2, encrypted_client_secret = NULL WHERE organization_id = $1',
        [organization.organizationId, signing.idp.address],
      );
      const logOut = (token: string) =>
        new Browser().send(`${app.origin}/auth/backchannel-logout`, { method: 'POST', form: { logout_token: token } });
      const right = signing.idp.issuer;
      signing.idp.issuer = right.endsWith('/') ? right.slice(0, -1) : `${right}/`;
      const wrong = await signing.idp.logoutToken('wrong');
      signing.idp.issuer = right;

      expect((await logOut(wrong)).status).toBe(400);
      expect(await statusOf(browser)).toBe(200);
      expect((await logOut(await signing.idp.logoutToken('right'))).status).toBe(200);
      expect(await statusOf(browser)).toBe(401);
    },
  );

  it('is refused at a sign-in with a 400 that says what the document states, where that is another provider', async () => {
    await connectUnasked();
    statesOtherwise('/elsewhere');

    const answer = await signIn(new Browser());

    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`${signing.idp.address}/elsewhere`);
  });
});

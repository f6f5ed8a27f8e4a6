import { Browser } from './browser.js';
import { json } from './scripted-provider.js';
import { signingIn } from './signing-in.js';

const EMAIL = 'ada@idp.example';

describe('the UserInfo endpoint', () => {
  const signing = signingIn();
  const { app, connect, link, signIn, session } = signing;

  /** Lets the endpoint say claims of the person. */
  const says = (claims: object): void => {
    signing.idp.userInfo = () => json({ sub: 'ada', ...claims });
  };

  const ROLES = { role_claim: 'realm_access.roles', admin_values: ['admins'] };

  it('is asked with the access token for what the ID token lacks, which is a 302: address, name, role and groups', async () => {
    await connect({ creates_members: true, ...ROLES, group_claim: 'groups' });
    const tokens: string[] = [];
    signing.idp.claims = { realm_access: {} };
    signing.idp.userInfo = (token) => {
      tokens.push(token);
      return json({
        sub: 'ada',
        email: EMAIL,
        name: 'Ada Lovelace',
        realm_access: { roles: ['admins'] },
        groups: ['x'],
      });
    };
    const browser = new Browser();

    const answer = await signIn(browser);

    expect(answer.status).toBe(302);
    expect(tokens).toEqual(['an-access-token']);
    expect(await session(browser)).toMatchObject({ user: { name: 'Ada Lovelace', email: EMAIL }, role: 'admin' });
  });

  it('is not asked where the ID token lacks nothing, which wins over it, which is a 302', async () => {
    await connect({ creates_members: true, ...ROLES });
    says({ email: 'other@idp.example', name: 'Other', realm_access: { roles: ['admins'] } });
    signing.idp.claims = { email: EMAIL, name: 'Ada', realm_access: { roles: [] } };
    await signIn(new Browser());
    expect(signing.idp.countOf('/userinfo')).toBe(0);

    signing.idp.claims = { realm_access: { roles: [] } };
    signing.idp.subject = 'bob';
    signing.idp.userInfo = () => json({ sub: 'bob', email: 'bob@idp.example', realm_access: { roles: ['admins'] } });
    const browser = new Browser();
    const answer = await signIn(browser);

    expect(answer.status).toBe(302);
    expect(signing.idp.countOf('/userinfo')).toBe(1);
    expect(await session(browser)).toMatchObject({ user: { email: 'bob@idp.example' }, role: 'member' });
  });

  it('answers 302 to who is linked already, without asking for an address', async () => {
    await connect({ creates_members: true });
    await link();
    signing.idp.userInfo = () => json({}, 500);

    expect((await signIn(new Browser())).status).toBe(302);
    expect(signing.idp.countOf('/userinfo')).toBe(0);
  });

  it.each([{ email_verified: false }, { email_verified: 'false' }])(
    'makes no member of an address of which it says %j, which is a 403',
    async (said) => {
      await connect({ creates_members: true });
      says({ email: EMAIL, ...said });

      const answer = await signIn(new Browser());

      expect(answer.status).toBe(403);
      expect(answer.text).toContain('not verified');
    },
  );

  it.each([{ sub: 'eve' }, { sub: undefined }, { sub: 1 }])(
    'counts for nothing where it speaks of another person, which is a 400: %j',
    async ({ sub }) => {
      await connect({ ...ROLES });
      await link();
      signing.idp.userInfo = () => json({ sub, realm_access: { roles: ['admins'] } });
      const browser = new Browser();

      const answer = await signIn(browser);

      expect(answer.status).toBe(400);
      expect(answer.text).toContain('sub of UserInfo');
      expect(browser.cookiesOf(app.origin).has('gatehouse')).toBe(false);
    },
  );

  it.each([
    ['an error', 400, 'it answered 401', { status: 401, body: '' }],
    ['a signed answer', 400, 'only JSON is read', { type: 'application/jwt', body: 'e30.e30.x' }],
    ['another type', 400, 'no JSON', { type: 'text/html', body: '{"sub":"ada"}' }],
    ['no JSON', 400, 'no JSON object', { type: 'application/json', body: '{' }],
    ['a list', 400, 'no JSON object', { type: 'application/json', body: '[]' }],
    [
      'too much',
      503,
      'cannot be reached',
      { type: 'application/json', body: `{"sub":"ada","x":"${'x'.repeat(300_000)}"}` },
    ],
  ])('answers %s where a new member needs it, which is a %i with what is wrong', async (_, status, text, said) => {
    await connect({ creates_members: true });
    signing.idp.userInfo = () => said;

    const answer = await signIn(new Browser());

    expect(answer.status).toBe(status);
    expect(answer.text).toContain(text);
  });

  it('leaves the role of who is linked where it fails, which is a 302', async () => {
    await connect({ ...ROLES });
    await link();
    await app.factory.member(signing.organization.organizationId, 'admin');
    signing.idp.userInfo = () => json({}, 500);
    const browser = new Browser();

    expect((await signIn(browser)).status).toBe(302);
    expect(signing.idp.countOf('/userinfo')).toBe(1);
    expect((await session(browser)).role).toBe('admin');
  });

  it('answers 400 where it fails and the id that a directory gives is there alone, so that no other member is made', async () => {
    await connect({ creates_members: true, external_id_claim: 'oid' });
    signing.idp.claims = { email: EMAIL };
    signing.idp.userInfo = () => json({}, 500);

    expect((await signIn(new Browser())).status).toBe(400);
  });
});

import type { JWTPayload } from 'jose';
import { Browser } from './browser.js';
import { CLIENT } from './client.js';
import { now } from './scripted-provider.js';
import { signingIn } from './signing-in.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** What a logout token that is in order has (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
const CLAIMS = { sub: 'ada', jti: 'a-logout', events: { [EVENT]: {} } };

describe('logout tokens that the provider has signed', () => {
  const signing = signingIn();
  const { app, connect, link, signIn, statusOf } = signing;

  const logOut = async (claims: JWTPayload, type = 'logout+jwt'): Promise<number> => {
    const form = { logout_token: await signing.idp.token({ exp: now() + 600, ...claims }, type) };
    return (await new Browser().send(`${app.origin}/auth/backchannel-logout`, { method: 'POST', form })).status;
  };

  it.each<[string, JWTPayload, { readonly type?: string }]>([
    ['a nonce, as ID tokens have', { ...CLAIMS, nonce: 'n' }, {}],
    ['no event', { ...CLAIMS, events: undefined }, {}],
    ['another event', { ...CLAIMS, events: { 'http://schemas.example.com/other': {} } }, {}],
    ['an event that is no object', { ...CLAIMS, events: EVENT }, {}],
    ['neither a subject nor a session', { ...CLAIMS, sub: undefined }, {}],
    ['no id of its own', { ...CLAIMS, jti: undefined }, {}],
    ['another client', { ...CLAIMS, aud: 'another-client' }, {}],
    ['an end that is over', { ...CLAIMS, exp: now() - 600 }, {}],
    ['the type of another kind of token', CLAIMS, { type: 'at+jwt' }],
  ])('are answered 400 with %s, and end no session', async (_, claims, { type }) => {
    await connect();
    await link();
    const browser = new Browser();
    await signIn(browser);

    expect(await logOut(claims, type)).toBe(400);

    expect(await statusOf(browser)).toBe(200);
  });

  it.each(['logout+jwt', 'JWT', 'Logout+JWT'])(
    'of the type %s are answered 200, end the session, and are a 400 the second time',
    async (type) => {
      await connect();
      await link();
      const browser = new Browser();
      await signIn(browser);

      expect(await logOut({ ...CLAIMS, aud: [CLIENT.id, 'another-client'] }, type)).toBe(200);

      expect(await statusOf(browser)).toBe(401);
      expect(await logOut(CLAIMS, type)).toBe(400);
    },
  );
});

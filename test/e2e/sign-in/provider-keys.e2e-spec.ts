import { Browser } from './browser.js';
import { signingIn } from './signing-in.js';

describe('new keys of an identity provider', () => {
  const signing = signingIn();
  const { app, connect, link, signIn, statusOf } = signing;

  const signedInWith = async (): Promise<number> => (await signIn(new Browser())).status;

  const logOut = (token: string) =>
    new Browser().send(`${app.origin}/auth/backchannel-logout`, { method: 'POST', form: { logout_token: token } });

  it('are asked for at once where the id of a key is unknown, which is a 302', async () => {
    await connect();
    await link();
    expect(await signedInWith()).toBe(302);

    await signing.idp.useNewKey('another');

    expect(await signedInWith()).toBe(302);
  });

  it('are asked for at once where another key has the id, which is a 302, and not again for a storm of tokens that fit none, which are a 400', async () => {
    await connect();
    await link();
    expect(await signedInWith()).toBe(302);
    const forged = await signing.idp.logoutToken('forged');

    await signing.idp.useNewKey();
    expect(await signedInWith()).toBe(302);
    const before = signing.idp.countOf('/jwks');
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await logOut(forged)).status));

    expect(new Set(statuses)).toEqual(new Set([400]));
    expect(signing.idp.countOf('/jwks')).toBe(before);
  });

  it('are read where they are published now, which is a 302', async () => {
    await connect();
    await link();
    expect(await signedInWith()).toBe(302);

    signing.idp.metadata = { jwks_uri: `${signing.idp.address}/other-jwks` };
    await signing.idp.useNewKey('moved');

    expect(await signedInWith()).toBe(302);
    expect(signing.idp.countOf('/other-jwks')).toBe(1);
  });

  it('end a session by a logout token that is signed with one, which is a 200, and leave the others', async () => {
    await connect();
    await link();
    const browser = new Browser();
    await signIn(browser);
    await signing.idp.useNewKey('for-logout');

    const answer = await logOut(await signing.idp.logoutToken('1'));

    expect(answer.status).toBe(200);
    expect(await statusOf(browser)).toBe(401);
  });

  it('answer 503 while the provider does not say them, and 400 to a token that no key fits', async () => {
    await connect();
    await link();
    const browser = new Browser();
    await signIn(browser);
    const published = await signing.idp.logoutToken('2');
    await signing.idp.useNewKey('away');
    const token = await signing.idp.logoutToken('3');
    signing.idp.isAway = true;

    expect((await logOut(token)).status).toBe(503);
    expect((await logOut(published)).status).toBe(200);
  });
});

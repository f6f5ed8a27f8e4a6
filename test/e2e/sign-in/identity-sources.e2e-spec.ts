import type { ListMemberIdentitiesResponse } from '../../../src/modules/sign-in/dto/member-identity.dto.js';
import type { IssuedProvisioningTokenResponse } from '../../../src/modules/scim/dto/provisioning-token.dto.js';
import { Browser } from './browser.js';
import { signedInBrowser } from './signed-in.js';
import { signingIn } from './signing-in.js';

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** The end of a sign-in that succeeds, and of one that is refused. */
const [SIGNED_IN, REFUSED] = [302, 403];

describe('a link between a member and an identity', () => {
  const people = signingIn();
  const { app, organization } = people;

  /** A directory whose people are those of an issuer. */
  const newDirectory = async (issuer: string | null = people.idp.issuer) => {
    await app.factory.enableScim(organization);
    const path = '/scim/tokens';
    const json = { name: 'Directory', issuer };
    const made = await app.api.post<IssuedProvisioningTokenResponse>(path, { key: organization.managementKey, json });
    expect(made.status).toBe(201);
    const { token: key, data } = made.body;
    const patch = async (id: string, ...Operations: object[]): Promise<void> => {
      const answer = await app.api.patch(`/scim/v2/Users/${id}`, {
        key,
        json: { schemas: [PATCH_SCHEMA], Operations },
      });
      expect(answer.status).toBe(200);
    };
    return {
      key,
      tokenId: data.id,
      patch,
      add: async (externalId: string, userName = `${externalId}@directory.example`): Promise<string> => {
        const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName, externalId };
        const answer = await app.api.post<object>('/scim/v2/Users', { key, json: user });
        expect(answer.status).toBe(201);
        return (JSON.parse(answer.text) as { id: string }).id;
      },
      rename: (id: string, externalId: string): Promise<void> =>
        patch(id, { op: 'Replace', path: 'externalId', value: externalId }),
    };
  };

  /** Signs a subject in. @returns the browser, with the status and the member */
  const signIn = async (subject: string, claims: object = {}) => {
    people.idp.subject = subject;
    people.idp.claims = { ...claims };
    const browser = new Browser();
    const { status } = await people.signIn(browser);
    return { browser, status, userId: status === SIGNED_IN ? (await people.session(browser)).user.id : undefined };
  };

  const identitiesOf = async (userId: string) => {
    const path = `/organization/members/${userId}/identities`;
    const answer = await app.api.get<ListMemberIdentitiesResponse>(path, { key: organization.managementKey });
    return answer.body.data;
  };

  const sourcesOf = async (userId: string): Promise<string[]> =>
    (await identitiesOf(userId)).map(({ subject, source }) => `${subject} ${source}`);

  /** What another claim than the subject says in the same way. */
  const CLAIMS: readonly [claim: string, claimsOf: (externalId: string) => object][] = [
    ['sub', () => ({})],
    ['oid', (oid) => ({ oid })],
  ];

  it.each(CLAIMS)(
    'moves with the externalId of the directory by the claim %s: 401 and 403 once it is another one, then 302 as the member who gets it',
    async (claim, claimsOf) => {
      await people.connect({ external_id_claim: claim });
      const directory = await newDirectory();
      const [one, other] = [await directory.add('xa'), await directory.add('xb')];
      const before = await signIn('xa', claimsOf('xa'));

      await directory.rename(one, 'xz');
      const ended = await people.statusOf(before.browser);
      const between = await signIn('xa', claimsOf('xa'));
      await directory.rename(other, 'xa');
      const after = await signIn('xa', claimsOf('xa'));

      expect(before).toMatchObject({ status: SIGNED_IN, userId: one });
      expect([ended, between.status]).toEqual([401, REFUSED]);
      expect(after).toMatchObject({ status: SIGNED_IN, userId: other });
      expect(await sourcesOf(one)).toEqual([]);
      expect(await sourcesOf(other)).toEqual(['xa directory']);
    },
  );

  it('ends when the directory takes the externalId away: 401, and 403 to the next sign-in', async () => {
    await people.connect({ external_id_claim: 'sub' });
    const directory = await newDirectory();
    const member = await directory.add('xa');
    const { browser } = await signIn('xa');

    await directory.patch(member, { op: 'remove', path: 'externalId' });

    expect(await people.statusOf(browser)).toBe(401);
    expect((await signIn('xa')).status).toBe(REFUSED);
  });

  it('stays when the directory writes something else of the member: 200', async () => {
    await people.connect({ external_id_claim: 'sub' });
    const directory = await newDirectory();
    const member = await directory.add('xa');
    const { browser } = await signIn('xa');

    await directory.patch(member, { op: 'replace', path: 'displayName', value: 'Ada' });

    expect(await people.statusOf(browser)).toBe(200);
    expect(await sourcesOf(member)).toEqual(['xa directory']);
  });

  it('leaves no session of a sign-in that overlaps with the change of the externalId: 401 in whatever order they end', async () => {
    await people.connect({ external_id_claim: 'sub' });
    const directory = await newDirectory();
    for (let round = 0; round < 5; round += 1) {
      const subject = `moved-${round}`;
      const member = await directory.add(subject);
      const [{ browser }] = await Promise.all([signIn(subject), directory.rename(member, `kept-${round}`)]);
      expect(await people.statusOf(browser)).toBe(401);
      expect(await sourcesOf(member)).toEqual([]);
    }
  });

  it('ends with the last token of the directory: 200 while another one is bound to the issuer, then 401 and 403', async () => {
    await people.connect({ external_id_claim: 'sub' });
    const [first, second] = [await newDirectory(), await newDirectory()];
    await first.add('xa');
    const { browser } = await signIn('xa');
    const revoke = (id: string) => app.api.delete(`/scim/tokens/${id}`, { key: organization.managementKey });

    await revoke(first.tokenId);
    const replaced = await people.statusOf(browser);
    await revoke(second.tokenId);

    expect([replaced, await people.statusOf(browser)]).toEqual([200, 401]);
    expect((await signIn('xa')).status).toBe(REFUSED);
  });

  const change = async (id: string, json: object): Promise<void> => {
    const answer = await app.api.patch(`/sign-in/connections/${id}`, { key: organization.managementKey, json });
    expect(answer.status).toBe(200);
  };

  it('ends when another claim is to say the externalId, as whom it had linked by a wrong one: 401 and 403', async () => {
    const connection = await people.connect({ external_id_claim: 'nickname' });
    const directory = await newDirectory();
    const member = await directory.add('xa');
    const wrong = await signIn('thief', { nickname: 'xa' });
    expect(wrong.userId).toBe(member);

    await change(connection, { external_id_claim: 'sub' });

    expect(await people.statusOf(wrong.browser)).toBe(401);
    expect((await signIn('thief', { nickname: 'xa' })).status).toBe(REFUSED);
    expect(await signIn('xa')).toMatchObject({ status: SIGNED_IN, userId: member });
  });

  it('has its sessions ended where the identity provider is disabled or deleted: 401, and 302 once it is enabled again', async () => {
    const connection = await people.connect();
    await people.link('ada');
    const first = await signIn('ada');

    await change(connection, { enabled: false });
    const disabled = await people.statusOf(first.browser);
    await change(connection, { enabled: true });
    const second = await signIn('ada');
    await app.api.delete(`/sign-in/connections/${connection}`, { key: organization.managementKey });

    expect([disabled, second.status, await people.statusOf(second.browser)]).toEqual([401, SIGNED_IN, 401]);
    expect(await sourcesOf(organization.userId)).toEqual(['ada hand']);
  });

  const STRANGER = { email: 'cfo@corp.example' };

  it('which a person has got by signing in ends when a directory takes the member over: 401 and 403', async () => {
    await people.connect({ creates_members: true });
    const stranger = await signIn('stranger', STRANGER);
    expect(await sourcesOf(stranger.userId!)).toEqual(['stranger sign_in']);
    const directory = await newDirectory();

    await directory.rename(stranger.userId!, 'the-cfo');

    expect(await people.statusOf(stranger.browser)).toBe(401);
    expect(await sourcesOf(stranger.userId!)).toEqual([]);
    expect((await signIn('stranger', STRANGER)).status).toBe(REFUSED);
  });

  it('becomes that of the directory where the directory takes the member over with the same subject: 200, and 401 once it moves', async () => {
    await people.connect({ creates_members: true });
    const person = await signIn('the-cfo', STRANGER);
    const directory = await newDirectory();

    await directory.rename(person.userId!, 'the-cfo');
    const kept = await people.statusOf(person.browser);
    const sources = await sourcesOf(person.userId!);
    await directory.rename(person.userId!, 'another');

    expect([kept, sources]).toEqual([200, ['the-cfo directory']]);
    expect(await people.statusOf(person.browser)).toBe(401);
  });

  it('which an administrator has made stays when a directory takes the member over: 200', async () => {
    await people.connect({ external_id_claim: 'sub' });
    await people.link('ada');
    const { browser } = await signIn('ada');
    const directory = await newDirectory();

    await directory.rename(organization.userId, 'another');
    const other = await directory.add('ada');

    expect(await people.statusOf(browser)).toBe(200);
    expect(await signIn('ada')).toMatchObject({ status: SIGNED_IN, userId: organization.userId });
    expect(await sourcesOf(other)).toEqual([]);
  });

  it('which a person has got by signing in moves to the member of the directory at the next sign-in: 302, and 401 as the one before', async () => {
    await people.connect({ creates_members: true, external_id_claim: 'sub' });
    const before = await signIn('ada', STRANGER);
    const directory = await newDirectory();
    const member = await directory.add('ada');

    const after = await signIn('ada', STRANGER);

    expect(after).toMatchObject({ status: SIGNED_IN, userId: member });
    expect(await people.statusOf(before.browser)).toBe(401);
    expect(await sourcesOf(before.userId!)).toEqual([]);
  });

  it('has its sessions ended when it is taken away, and no others of the member: 401 and 200', async () => {
    await people.connect();
    await people.link('ada');
    await people.link('ada-private');
    const [wrong, right] = [await signIn('ada'), await signIn('ada-private')];
    const byLink = await signedInBrowser(app, organization);
    const [first] = await identitiesOf(organization.userId);

    const path = `/organization/members/${organization.userId}/identities/${first!.id}`;
    const answer = await app.api.delete(path, { key: organization.managementKey });

    expect(answer.status).toBe(200);
    expect(await people.statusOf(wrong.browser)).toBe(401);
    expect([await people.statusOf(right.browser), await people.statusOf(byLink)]).toEqual([200, 200]);
    expect((await signIn('ada')).status).toBe(REFUSED);
  });
});

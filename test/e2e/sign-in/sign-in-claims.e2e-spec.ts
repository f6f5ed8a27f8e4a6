import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { Browser } from './browser.js';
import { signingIn } from './signing-in.js';

const ROLES = { role_claim: 'realm_access.roles', admin_values: ['gatehouse-admins'] };
const ADMIN = { realm_access: { roles: ['gatehouse-admins'] } };

describe('the claims of a sign-in', () => {
  const signing = signingIn();
  const { app, connect, link, signIn, session } = signing;

  /** Adds a second administrator, who is linked to a subject. @returns the id of the user */
  const secondAdministrator = async (subject: string): Promise<string> => {
    const userId = await app.factory.member(signing.organization.organizationId, 'admin');
    const answer = await app.api.post(`/organization/members/${userId}/identities`, {
      key: signing.organization.managementKey,
      json: { issuer: signing.idp.issuer, subject },
    });
    expect(answer.status).toBe(201);
    return userId;
  };

  const roleOf = async (userId: string): Promise<string | undefined> => {
    const rows = await app.rows<{ role: string }>(
      'SELECT role FROM organization_members WHERE organization_id = $1 AND user_id = $2',
      [signing.organization.organizationId, userId],
    );
    return rows[0]?.role;
  };

  /** Signs a person in whom the provider says these claims of. @returns the role of the session */
  const roleWith = async (claims: object, subject = 'ada'): Promise<string> => {
    Object.assign(signing.idp, { subject, claims });
    const browser = new Browser();
    expect((await signIn(browser)).status).toBe(302);
    return (await session(browser)).role;
  };

  it('give the role by a path, take it with an empty list, and change nothing where the claim is absent, which is a 302', async () => {
    await connect(ROLES);
    await link();
    await secondAdministrator('bob');

    expect(await roleWith({ realm_access: { roles: [] } })).toBe('member');
    expect(await roleWith({ realm_access: { roles: ['others'] } })).toBe('member');
    expect(await roleWith(ADMIN)).toBe('admin');
    for (const claims of [{}, { realm_access: {} }, { realm_access: { roles: null } }, { realm_access: 'x' }]) {
      expect(await roleWith(claims)).toBe('admin');
    }
    expect(await roleWith({ realm_access: { roles: [] } })).toBe('member');
    expect(await roleWith({})).toBe('member');
  });

  it.each(['https://example.com/roles', 'a.b'])(
    'give the role by the name %s, which has dots, which is a 302',
    async (name) => {
      await connect({ creates_members: true, role_claim: name, admin_values: ['yes'] });

      expect(await roleWith({ email: 'ada@idp.example', [name]: ['yes'], a: { b: ['no'] } })).toBe('admin');
    },
  );

  it('never take the role of the last active administrator, which is a 302, and record nothing then', async () => {
    await connect(ROLES);
    await link();
    const bob = await secondAdministrator('bob');
    await app.rows(
      `UPDATE organization_members SET deactivated_at = now(), deactivated_by = 'administrator' WHERE user_id = $1`,
      [bob],
    );

    expect(await roleWith({ realm_access: { roles: [] } })).toBe('admin');

    const events = await app.rows(
      `SELECT 1 FROM audit_events WHERE organization_id = $1 AND action IN ('member.update', 'organization.lose_administrators')`,
      [signing.organization.organizationId],
    );
    expect(events).toEqual([]);
  });

  it('leave one administrator where the last two sign in at once, which is a 302', async () => {
    await connect(ROLES);
    await link();
    const bob = await secondAdministrator('bob');
    const { organizationId, userId } = signing.organization;
    // Both wait for the lock, and then one after the other judges who is left.
    const release = await lockRows(app, 'SELECT id FROM organization_members WHERE organization_id = $1 FOR UPDATE', [
      organizationId,
    ]);
    const claims = { realm_access: { roles: [] } };
    const both: Promise<string>[] = [];
    for (const subject of ['ada', 'bob']) {
      both.push(roleWith(claims, subject));
      await untilWaitingForLock(app, both.length);
    }
    await release();
    await Promise.all(both);

    const roles = [await roleOf(userId), await roleOf(bob)].sort();
    expect(roles).toEqual(['admin', 'member']);
  });

  it.each([false, 'false'])(
    'answer 403 where a new member had an address that is not verified: %p',
    async (verified) => {
      await connect({ creates_members: true });
      signing.idp.claims = { email: 'cfo@corp.example', email_verified: verified };
      const browser = new Browser();

      const answer = await signIn(browser);

      expect(answer.status).toBe(403);
      expect(answer.text).toContain('Your e-mail address is not verified');
      expect(answer.text).toContain('cfo@corp.example');
      expect(browser.cookiesOf(app.origin).has('gatehouse')).toBe(false);
      const members = await app.rows('SELECT 1 FROM organization_members WHERE organization_id = $1', [
        signing.organization.organizationId,
      ]);
      expect(members).toHaveLength(1);
    },
  );

  it('make a member where nothing says that the address is not verified, and sign in who is linked whatever it says, which is a 302', async () => {
    await connect({ creates_members: true });
    await link('linked');

    for (const [subject, claims] of Object.entries({
      absent: { email: 'absent@idp.example' },
      verified: { email: 'verified@idp.example', email_verified: true },
      text: { email: 'text@idp.example', email_verified: 'true' },
      linked: { email: 'linked@idp.example', email_verified: false },
    })) {
      await roleWith(claims, subject);
    }
  });
});

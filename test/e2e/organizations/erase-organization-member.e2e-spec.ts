import { AuditVerificationService } from '../../../src/modules/audit/audit-verification.service.js';
import type { ErasedOrganizationMemberResponse } from '../../../src/modules/organizations/members/member.dto.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { newKey } from '../../support/resources/keys.js';
import { MemberStates } from '../../support/resources/members.js';

describe('eraseOrganizationMember', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);
  const states = new MemberStates(app, () => organization.organizationId);

  const erase = (id: string) =>
    app.api.post<ErasedOrganizationMemberResponse>(`/organization/members/${id}/erase`, {
      key: organization.managementKey,
    });

  /** Every text that the database has in a column of an organization's table that a person could stand in. */
  const rowsWith = async (text: string): Promise<string[]> => {
    const tables = [
      'users',
      'organization_members',
      'api_keys',
      'authorization_codes',
      'generations',
      'alert_recipients',
      'audit_events',
    ];
    const found: string[] = [];
    for (const table of tables) {
      const rows = await app.rows(`SELECT FROM ${table} AS t WHERE strpos(lower(t::text), lower($1)) > 0`, [text]);
      if (rows.length > 0) found.push(table);
    }
    return found;
  };

  const chat = (key: string, user: string) =>
    app.api.post('/chat/completions', {
      key,
      json: { model: 'gatehouse/echo', user, messages: [{ role: 'user', content: 'Zenobia asks' }] },
    });

  it('answers 200, and the person is in no table but for names of keys in the trail, which stays whole', async () => {
    await app.factory.starterCatalog();
    const { managementKey, workspaceId, organizationId } = organization;
    await app.api.patch(`/workspaces/${workspaceId}`, {
      key: managementKey,
      json: { is_observability_io_logging_enabled: true },
    });
    const [user, other] = await states.add([
      { name: 'Zenobia Palmyra', email: 'Zenobia@palmyra.example', role: 'member' },
      { name: 'Other Person', email: 'other@palmyra.example', role: 'member' },
    ]);
    const issued = await newKey(app, managementKey, {
      creator_user_id: user,
      name: 'Laptop',
      external: { user: 'zenobia-7' },
    });
    const ofOther = await newKey(app, managementKey, { creator_user_id: other, name: 'Others' });
    const asked = await chat(issued.key, 'zenobia-desk');
    expect(asked.status).toBe(200);
    const about = { generation_id: asked.headers.get('x-generation-id'), category: 'other', comment: 'Zenobia says' };
    expect((await app.api.post('/generation/feedback', { key: managementKey, json: about })).status).toBe(200);
    expect((await chat(ofOther.key, 'desk')).status).toBe(200);
    await app.api.post('/auth/keys/code', {
      key: managementKey,
      json: { callback_url: 'https://app.example.com/', user_id: user, key_label: 'Zenobia again' },
    });
    const contents = (): Promise<{ user_id: string; has_content: boolean; cost: string }[]> =>
      app.rows(
        `SELECT user_id, content IS NOT NULL AS has_content, cost_usd::text AS cost FROM generations
         WHERE organization_id = $1 ORDER BY user_id = $2 DESC`,
        [organizationId, user],
      );
    const before = await contents();
    expect(before.map(({ has_content: has }) => has)).toEqual([true, true]);

    await states.deactivate([user!]);
    const { status, body } = await erase(user!);

    expect([status, body]).toEqual([200, { data: { id: user, generations: 1, keys: 1, identities: 0, alerts: 0 } }]);
    expect(await contents()).toEqual([{ ...before[0], has_content: false }, before[1]]);
    // What the key was created with.
    expect(await rowsWith('zenobia')).toEqual(['audit_events']);
    expect(await rowsWith('palmyra')).toEqual(['users', 'organization_members']);
    expect(await rowsWith('other@palmyra')).toEqual(['users', 'organization_members']);
    const events = await auditEventsOf(app, user!);
    expect(events.map(({ action }) => action)).toEqual([
      'member.create',
      'member.deactivate',
      'member.delete',
      'member.erase',
    ]);
    expect(events[3]?.changes).toMatchObject({ generations: { after: 1 }, keys: { after: 1 } });
    const report = await app.application.get(AuditVerificationService).verify(organizationId);
    expect(report).toMatchObject({ issues: [] });

    const again = await erase(user!);
    expect([again.status, again.body.data]).toMatchObject([200, { generations: 0, keys: 0 }]);
    expect(await auditEventsOf(app, user!)).toHaveLength(4);
  });

  it('answers 409 for an active member, of whom everything stays', async () => {
    const user = await app.factory.member(organization.organizationId);

    expectRefusal(await erase(user), { status: 409, reason: 'member_is_active', userId: organization.userId });

    expect(await auditEventsOf(app, user)).toEqual([]);
    const [row] = await app.rows('SELECT name, ended_at FROM organization_members WHERE user_id = $1', [user]);
    expect(row).toEqual({ name: expect.stringMatching(/^Member \d+$/), ended_at: null });
  });
});

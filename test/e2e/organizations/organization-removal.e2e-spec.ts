import { OrganizationRemovalService } from '../../../src/modules/installation/organization-removal.service.js';
import { AuditVerificationService } from '../../../src/modules/audit/audit-verification.service.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

describe('the deletion of an organization', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  const remove = async (name?: string): Promise<string | undefined> => {
    const { organizationId } = organization;
    const [row] = await app.rows<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [organizationId]);
    return app.application.get(OrganizationRemovalService).remove(organizationId, name ?? row!.name);
  };

  const isThere = async (): Promise<boolean> =>
    (await app.rows('SELECT FROM organizations WHERE id = $1', [organization.organizationId])).length === 1;

  it('leaves nothing of one that was never used (401) but its audit trail, which is whole', async () => {
    const { organizationId, userId, managementKey: key } = organization;

    expect(await remove()).toBeUndefined();

    expect((await app.api.get('/key', { key })).status).toBe(401);
    for (const table of ['organizations', 'organization_members', 'workspaces', 'api_keys']) {
      const column = table === 'organizations' ? 'id' : 'organization_id';
      expect(await app.rows(`SELECT FROM ${table} WHERE ${column} = $1`, [organizationId])).toEqual([]);
    }
    expect(await app.rows('SELECT name, email FROM users WHERE id = $1', [userId])).toEqual([{ name: '', email: '' }]);
    const events = 'SELECT action FROM audit_links WHERE organization_id = $1 ORDER BY sequence';
    expect((await app.rows(events, [organizationId])).map(({ action }) => action)).toEqual([
      'key.create',
      'organization.delete',
    ]);
    expect(await app.rows('SELECT sequence FROM audit_heads WHERE organization_id = $1', [organizationId])).toEqual([
      { sequence: '2' },
    ]);
    expect((await app.application.get(AuditVerificationService).verify(organizationId)).issues).toEqual([]);
    expect(await app.application.get(OrganizationRemovalService).remove(organizationId, 'any')).toBe('unknown');
  });

  it('is refused with another name', async () => {
    expect(await remove('another')).toBe('other_name');
    expect(await isThere()).toBe(true);
  });

  it('is refused once anything was recorded after the creation', async () => {
    await app.factory.key(organization);
    expect(await remove()).toBe('hasLaterEvents');
    expect(await isThere()).toBe(true);
  });

  it('is refused once a key has asked for anything (400)', async () => {
    const { plaintext: key } = await app.factory.key(organization);
    expect((await app.api.post('/chat/completions', { key, json: {} })).status).toBe(400);
    expect(await remove()).toMatch(/^has/);
    expect(await isThere()).toBe(true);
  });
});

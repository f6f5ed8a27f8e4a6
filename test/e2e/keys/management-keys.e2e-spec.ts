import { sharedApplication } from '../../support/application/shared-application.js';
import { RIGHTS_OF_ADMINISTRATORS } from '../../../src/auth/roles.js';
import { PERMISSIONS } from '../../../src/auth/permissions.js';
import type { SessionPrincipal } from '../../../src/auth/principal.js';
import type {
  IssuedManagementKeyResponse,
  ListManagementKeysResponse,
  ManagementKeyResponse,
} from '../../../src/modules/keys/management-keys/management-key.dto.js';
import { ManagementKeysService } from '../../../src/modules/keys/management-keys/management-keys.service.js';
import { newUuid } from '../../../src/persistence/identifiers.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import type { Answer } from '../../support/network/api-client.js';
import { statusOfCurrentKey } from '../../support/resources/keys.js';

describe('management keys', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  const create = (json: object, key = organization.managementKey): Promise<Answer<IssuedManagementKeyResponse>> =>
    app.api.post('/management-keys', { key, json: { name: 'Key', ...json } });

  const made = async (json: object = {}): Promise<IssuedManagementKeyResponse> => {
    const answer = await create(json);
    expect(answer.status).toBe(201);
    return answer.body;
  };

  const change = (
    hash: string,
    json: object,
    key = organization.managementKey,
  ): Promise<Answer<ManagementKeyResponse>> => app.api.send('PATCH', `/management-keys/${hash}`, { key, json });

  const expectRefused = (answer: Answer, reason: string, detail: object = {}): void => {
    expectRefusal(answer, { status: 403, reason, detail: { ...detail }, userId: organization.userId });
  };

  it('are made with scopes, addresses and expiry: 201 and 200, or 403, listed and recorded without the secret', async () => {
    const json = {
      name: 'Reporting',
      scopes: ['usage_read', 'keys_write'],
      allowed_addresses: ['127.0.0.0/8', '::1'],
      expires_at: '2999-01-01T00:00:00.000Z',
    };
    const { data, key } = await made(json);

    expect(data).toEqual({
      ...json,
      hash: data.hash,
      label: data.label,
      allowed_addresses: ['127.0.0.0/8', '::1/128'],
      disabled: false,
      suspension_causes: [],
      follows_owner_role: true,
      creator_user_id: organization.userId,
      created_at: data.created_at,
      updated_at: null,
    });
    expect((await app.api.get('/keys', { key })).status).toBe(200);
    expect((await app.api.get('/guardrails', { key })).status).toBe(403);
    const list = await app.api.get<ListManagementKeysResponse>('/management-keys', { key: organization.managementKey });
    expect(list.body.total_count).toBe(2);
    expect(list.body.data[1]).toEqual(data);
    const events = await auditEventsOf(app, data.hash);
    expect(events).toMatchObject([{ action: 'key.create', changes: { scopes: { after: json.scopes } } }]);
    expect(JSON.stringify([events, list.body])).not.toContain(key);
  });

  it('are made by unrestricted keys of administrators only: 403 with all that is missing', async () => {
    const restricted = (await made({ scopes: ['management_keys_write'] })).key;
    const granted = ['management_keys_read', 'management_keys_write'];
    const required = PERMISSIONS.filter((one) => !granted.includes(one));
    expectRefused(await create({ scopes: ['management_keys_read'] }, restricted), 'permission_missing', { required });
  });

  it('are made for the caller and for service accounts: 400 for another person', async () => {
    const personId = await app.factory.member(organization.organizationId, 'admin');
    const answer = await create({ creator_user_id: personId });
    const { userId } = organization;
    expectRefusal(answer, { status: 400, reason: 'user_not_found', paths: ['creator_user_id'], userId });

    await app.rows(`UPDATE organization_members SET kind = 'service' WHERE user_id = $1`, [personId]);
    expect((await made({ creator_user_id: personId })).data.creator_user_id).toBe(personId);
  });

  it.each([
    ['an unknown scope', { scopes: ['everything'] }, 'scopes[0]'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['a wrong range', { allowed_addresses: ['10.0.0.1/8'] }, 'allowed_addresses[0]'],
    ['an expiry that is past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  ])('are not made with %s: 400', async (_, json, path) => {
    const answer = await create(json);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(`"path":"${path}"`)]);
  });

  it('can be narrowed and not widened: 200, then 403 with what would be added', async () => {
    const { data } = await made();
    const narrowed = await change(data.hash, { scopes: ['keys_write', 'usage_read'] });
    expect([narrowed.status, narrowed.body.data.scopes]).toEqual([200, ['keys_write', 'usage_read']]);

    const reason = 'management_key_scopes_only_narrowed';
    expectRefused(await change(data.hash, { scopes: ['keys_write', 'audit_read'] }), reason, { added: ['audit_read'] });
    const added = PERMISSIONS.filter((one) => !['keys_read', 'keys_write', 'usage_read'].includes(one));
    expectRefused(await change(data.hash, { scopes: null }), reason, { added });
    expect((await change(data.hash, { scopes: ['keys_read'] })).body.data.scopes).toEqual(['keys_read']);
    expectRefused(await change(data.hash, { scopes: ['keys_write'] }), reason, { added: ['keys_write'] });
  });

  it('that are restricted reach only such as may do no more (200): 403 by both interfaces', async () => {
    const scopes = ['management_keys_write', 'keys_write'];
    const { key } = await made({ scopes });
    const strong = await made({ scopes: ['management_keys_write', 'audit_read'] });
    const weak = await made({ scopes: ['keys_read'] });
    const detail = { required: ['audit_read'] };

    for (const path of [`/management-keys/${strong.data.hash}`, `/keys/${strong.data.hash}`]) {
      const json = { name: 'Taken', disabled: true };
      expectRefused(await app.api.send('PATCH', path, { key, json }), 'permission_missing', detail);
      expectRefused(await app.api.send('DELETE', path, { key }), 'permission_missing', detail);
      expectRefused(await app.api.post(`${path}/rotate`, { key, json: {} }), 'permission_missing', detail);
    }
    expect((await change(weak.data.hash, { disabled: true }, key)).status).toBe(200);
    expect(await statusOfCurrentKey(app, weak.key)).toBe(401);
    expect(await statusOfCurrentKey(app, strong.key)).toBe(200);
  });

  it('are not reached by their hash without permissions of their own: 403 with these', async () => {
    const { key } = await made({ scopes: ['keys_write'] });
    const { data } = await made({ scopes: ['keys_read'] });
    const path = `/keys/${data.hash}`;
    const read = await app.api.get(path, { key });
    expectRefused(read, 'permission_missing', { required: ['management_keys_read'] });
    const required = ['management_keys_write'];
    const write = await app.api.send('PATCH', path, { key, json: { disabled: true } });
    expectRefused(write, 'permission_missing', { required });
    expectRefused(await app.api.send('DELETE', path, { key }), 'permission_missing', { required });
  });

  it('keep scopes and addresses through a rotation: 201, with both secrets until the grace ends', async () => {
    const { data, key } = await made({ scopes: ['keys_read'], allowed_addresses: ['127.0.0.0/8', '::1'] });
    const answer = await app.api.post<IssuedManagementKeyResponse>(`/management-keys/${data.hash}/rotate`, {
      key: organization.managementKey,
      json: { grace_seconds: 60 },
    });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ scopes: data.scopes, allowed_addresses: data.allowed_addresses });
    for (const secret of [key, answer.body.key]) {
      expect((await app.api.get('/keys', { key: secret })).status).toBe(200);
      expect((await app.api.get('/audit-events', { key: secret })).status).toBe(403);
    }
  });

  it('of someone else are not rotated: 403, because the new secret would let its holder act as them', async () => {
    const userId = await app.factory.member(organization.organizationId, 'admin');
    const { hash } = await app.factory.key(organization, { kind: 'management_key', userId });
    const answer = await app.api.post(`/management-keys/${hash}/rotate`, { key: organization.managementKey, json: {} });
    expectRefused(answer, 'management_key_rotates_itself_only');
  });

  it('are revoked: 200, and 401 and 404 from then on', async () => {
    const { data, key } = await made();
    const path = `/management-keys/${data.hash}`;
    expect((await app.api.send('DELETE', path, { key: organization.managementKey })).body).toEqual({ deleted: true });
    expect(await statusOfCurrentKey(app, key)).toBe(401);
    expect((await app.api.get(path, { key: organization.managementKey })).status).toBe(404);
    expect((await auditEventsOf(app, data.hash)).map(({ action }) => action)).toEqual(['key.create', 'key.delete']);
  });

  it('answer 404 for the hash of an API key', async () => {
    const { hash } = await app.factory.key(organization);
    const key = organization.managementKey;
    expect((await app.api.get(`/management-keys/${hash}`, { key })).status).toBe(404);
    expect((await change(hash, { disabled: true })).status).toBe(404);
    expect((await app.api.send('DELETE', `/management-keys/${hash}`, { key })).status).toBe(404);
  });

  it('are made by an administrator who has signed in within 15 minutes, and otherwise a 403 asks for another sign-in', async () => {
    const signedIn = (secondsAgo: number): SessionPrincipal => ({
      kind: 'session',
      origin: null,
      organizationId: organization.organizationId,
      userId: organization.userId,
      credentialId: newUuid(),
      authenticatedAt: new Date(Date.now() - secondsAgo * 1000),
      ...RIGHTS_OF_ADMINISTRATORS,
    });
    const service = app.application.get(ManagementKeysService);
    const recent = await service.create(signedIn(60), { name: 'By a person' });
    const old = { status: 403, reason: 'recent_sign_in_required', metadata: { max_age_seconds: 900 } };
    await expect(service.create(signedIn(960), { name: 'By a person' })).rejects.toMatchObject(old);
    await expect(service.rotate(signedIn(960), { hash: recent.data.hash })).rejects.toMatchObject(old);
    const rotated = await service.rotate(signedIn(60), { hash: recent.data.hash });
    expect(await statusOfCurrentKey(app, recent.key)).toBe(401);
    expect(await statusOfCurrentKey(app, rotated.key)).toBe(200);
    expect(await auditEventsOf(app, recent.data.hash)).toMatchObject([
      { action: 'key.create', actor_kind: 'session', actor_id: organization.userId },
      { action: 'key.rotate', actor_kind: 'session', actor_id: organization.userId },
    ]);
  });
});

import { sharedApplication } from '../../support/application/shared-application.js';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { MembersService } from '../../../src/modules/organizations/members/members.service.js';
import { Statements } from '../../../src/persistence/statements.js';
import type { CurrentKeyResponse, ListKeysResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { PERMISSIONS } from '../../../src/auth/permissions.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { newKey } from '../../support/resources/keys.js';

describe('the management key of a member', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  /** A member with a management key. */
  const withKey = async (fields: object = {}): Promise<{ userId: string; key: string; hash: string }> => {
    const userId = await app.factory.member(organization.organizationId);
    const made = await app.factory.key(organization, { kind: 'management_key', userId, ...fields });
    return { userId, key: made.plaintext, hash: made.hash };
  };

  const setRole = (userId: string, role: 'admin' | 'member'): Promise<unknown> =>
    app.rows('UPDATE organization_members SET role = $2 WHERE user_id = $1', [userId, role]);

  const permissionsOf = async (key: string): Promise<unknown> => {
    const { status, body } = await app.api.get<CurrentKeyResponse>('/key', { key });
    expect(status).toBe(200);
    expectToFitContract('getCurrentKey', 200, body);
    return body.data.permissions;
  };

  it('follows the role of its owner from one request to the next: 403, and 200 for an administrator', async () => {
    const { userId, key } = await withKey();
    expect((await app.api.get('/guardrails', { key })).status).toBe(403);

    await setRole(userId, 'admin');
    expect((await app.api.get('/guardrails', { key })).status).toBe(200);
    expect(await permissionsOf(key)).toEqual(PERMISSIONS);

    await setRole(userId, 'member');
    expect((await app.api.get('/guardrails', { key })).status).toBe(403);
    expect(await permissionsOf(key)).toEqual([
      'keys_read',
      'keys_write',
      'guardrails_read',
      'workspaces_read',
      'presets_read',
      'usage_read',
      'usage_write',
      'content_read',
    ]);
  });

  it('has its scopes within the role: 403 for what only one of the two permits', async () => {
    const { userId, key } = await withKey({ scopes: ['guardrails_write', 'keys_read'] });
    expect(await permissionsOf(key)).toEqual(['keys_read', 'guardrails_read']);
    expect((await app.api.get('/guardrails', { key })).status).toBe(403);
    expect((await app.api.get('/keys', { key })).status).toBe(200);
    expect((await app.api.get('/workspaces', { key })).status).toBe(403);

    await setRole(userId, 'admin');
    expect((await app.api.get('/guardrails', { key })).status).toBe(200);
    expect((await app.api.get('/workspaces', { key })).status).toBe(403);
  });

  it('keeps all rights if it is from before there were permissions, until the role is changed: 200, then 403', async () => {
    const { userId, key } = await withKey({ followsOwnerRole: false });
    expect((await app.api.get('/guardrails', { key })).status).toBe(200);
    expect(await permissionsOf(key)).toEqual(PERMISSIONS);

    const { organizationId } = organization;
    const changeRole = (role: 'admin' | 'member'): Promise<unknown> =>
      app.application
        .get(Statements)
        .transaction((tx) =>
          app.application.get(MembersService).changeRole(tx, COMMAND_LINE, { organizationId, userIds: [userId], role }),
        );
    await changeRole('admin');
    expect((await app.api.get('/guardrails', { key })).status).toBe(200);
    await changeRole('member');
    expect((await app.api.get('/guardrails', { key })).status).toBe(403);
  });

  it('has 404 for keys of other people and management keys, and lists its own only', async () => {
    const { userId, key, hash: managementHash } = await withKey();
    const theirs = await newKey(app, organization.managementKey);
    const own = await newKey(app, key, { name: 'Own' });
    expect(own.data.creator_user_id).toBe(userId);
    const another = await app.factory.key(organization, { kind: 'management_key', userId });

    const { body } = await app.api.get<ListKeysResponse>('/keys?include_disabled=true', { key });
    expect(body.data.map(({ name }) => name)).toEqual(['Own']);
    for (const hash of [theirs.data.hash, another.hash]) {
      const answers = [
        await app.api.get(`/keys/${hash}`, { key }),
        await app.api.send('PATCH', `/keys/${hash}`, { key, json: { name: 'Taken' } }),
        await app.api.post(`/keys/${hash}/rotate`, { key, json: {} }),
        await app.api.send('DELETE', `/keys/${hash}`, { key }),
        await app.api.get(`/guardrails/effective?key_hash=${hash}`, { key }),
      ];
      for (const answer of answers) expectRefusal(answer, { status: 404, reason: 'key_not_found', userId });
    }
    expect((await app.api.get(`/keys/${own.data.hash}`, { key })).status).toBe(200);
    expect((await app.api.get(`/guardrails/effective?key_hash=${own.data.hash}`, { key })).status).toBe(200);
    expect((await app.api.get(`/keys/${managementHash}`, { key })).status).toBe(200);
    expect((await app.api.send('DELETE', `/keys/${own.data.hash}`, { key })).status).toBe(200);
    expect((await app.api.get(`/keys/${theirs.data.hash}`, { key: organization.managementKey })).status).toBe(200);
  });

  it('makes keys for its owner alone, in workspaces of which the owner is a member: 400 for others', async () => {
    const { userId, key } = await withKey();
    const workspaceId = await app.factory.workspace(organization);
    const json = { name: 'Key' };

    const forOther = await app.api.post('/keys', { key, json: { ...json, creator_user_id: organization.userId } });
    expectRefusal(forOther, { status: 400, reason: 'user_not_found', paths: ['creator_user_id'], userId });
    const codeForOther = await app.api.post('/auth/keys/code', {
      key,
      json: { callback_url: 'https://app.example.com/', user_id: organization.userId },
    });
    expectRefusal(codeForOther, { status: 400, reason: 'user_not_found', paths: ['user_id'], userId });
    const elsewhere = await app.api.post('/keys', { key, json: { ...json, workspace_id: workspaceId } });
    expectRefusal(elsewhere, { status: 400, reason: 'workspace_not_found', paths: ['workspace_id'], userId });

    await app.factory.workspaceMember(organization.organizationId, workspaceId, userId, 'member');
    expect((await app.api.post('/keys', { key, json: { ...json, workspace_id: workspaceId } })).status).toBe(201);
  });

  it('sees the workspaces of which its owner is a member: 404 for others, which no list and no total has', async () => {
    const { userId, key } = await withKey();
    const [joined, other] = [await app.factory.workspace(organization), await app.factory.workspace(organization)];
    await app.factory.workspaceMember(organization.organizationId, joined, userId, 'member');
    await app.factory.preset(organization, other, 'hidden', [{}]);

    const { body } = await app.api.get<{ data: { id: string }[]; total_count: number }>('/workspaces', { key });
    expect([body.data.map(({ id }) => id), body.total_count]).toEqual([[organization.workspaceId, joined], 2]);
    expect((await app.api.get(`/workspaces/${joined}`, { key })).status).toBe(200);
    expect((await app.api.get(`/workspaces/${other}`, { key })).status).toBe(404);
    const presets = await app.api.get(`/presets?workspace_id=${other}`, { key });
    expect([presets.status, presets.body]).toEqual([200, { data: [], total_count: 0 }]);
    expect((await app.api.get(`/presets/hidden?workspace_id=${other}`, { key })).status).toBe(404);
    expect(
      (await app.api.get(`/presets/hidden?workspace_id=${other}`, { key: organization.managementKey })).status,
    ).toBe(200);
  });

  it('lifts no restriction of a key of its owner: 403, and makes it more restricted: 200', async () => {
    const { userId, key } = await withKey();
    const limits = {
      limit: 10,
      limit_reset: 'daily',
      rate_limits: { requests_per_minute: 10 },
      allowed_addresses: ['203.0.113.0/24'],
    };
    const { data } = await newKey(app, organization.managementKey, { creator_user_id: userId, ...limits });
    const change = (json: object) => app.api.send('PATCH', `/keys/${data.hash}`, { key, json });

    const lifted: [field: string, json: object][] = [
      ['limit', { limit: 11 }],
      ['limit', { limit: null }],
      ['limit_reset', { limit_reset: 'monthly' }],
      ['rate_limits', { rate_limits: null }],
      ['rate_limits', { rate_limits: { requests_per_minute: 11 } }],
      ['allowed_addresses', { allowed_addresses: null }],
      ['allowed_addresses', { allowed_addresses: ['203.0.112.0/23'] }],
    ];
    for (const [field, json] of lifted) {
      const detail = { fields: [field] };
      expectRefusal(await change(json), { status: 403, reason: 'administrator_required', detail, userId });
    }
    const narrower = { limit: 9, rate_limits: { tokens_per_minute: 5 }, allowed_addresses: ['203.0.113.7'] };
    expect((await change({ ...narrower, disabled: true })).status).toBe(200);
    const enabling = await change({ disabled: false });
    expectRefusal(enabling, {
      status: 403,
      reason: 'administrator_required',
      detail: { fields: ['disabled'] },
      userId,
    });
  });
});

import { replicaOfSuite, sharedApplication } from '../../support/application/shared-application.js';
import type { Key, KeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { sha256 } from '../../support/resources/authorization-codes.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { keyRowOf, newKey, statusOfCurrentKey } from '../../support/resources/keys.js';
import { someMalformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { TIMESTAMP } from '../../support/expectations/formats.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('updateKeys', () => {
  const app = sharedApplication({ topic: 'suite' });
  const replica = replicaOfSuite(app);
  const organization = sharedOrganization(app);

  const patch = (hash: string, json: object): Promise<Answer<KeyResponse>> =>
    app.api.patch(`/keys/${hash}`, { key: organization.managementKey, json });

  const patched = async (hash: string, json: object): Promise<Key> => {
    const answer = await patch(hash, json);
    expect(answer.status).toBe(200);
    expectToFitContract('updateKeys', 200, answer.body);
    const read = await app.api.get<KeyResponse>(`/keys/${hash}`, { key: organization.managementKey });
    expect(read.body).toEqual(answer.body);
    return answer.body.data;
  };

  /** Everything that can be changed of a key. */
  const FULL = { name: 'Full', limit: 10, limit_reset: 'monthly', include_byok_in_limit: true };

  it.each([
    ['name', 'Renamed'],
    ['limit', 5.5],
    ['limit', null],
    ['limit', 0],
    ['limit_reset', 'daily'],
    ['limit_reset', null],
    ['include_byok_in_limit', false],
    ['disabled', true],
  ])('answers 200 and changes %s to %j, and nothing else', async (field, value) => {
    const { data } = await newKey(app, organization.managementKey, FULL);
    const row = await keyRowOf(app, data.hash);

    const after = await patched(data.hash, { [field]: value });

    expect(after).toEqual({
      ...data,
      [field]: value,
      ...(field === 'limit' && { limit_remaining: value }),
      updated_at: expect.stringMatching(TIMESTAMP) as unknown,
    });
    const column = field === 'limit' ? 'limit_usd' : field;
    expect(await keyRowOf(app, data.hash)).toEqual({
      ...row,
      [column]: value,
      updated_at: new Date(after.updated_at!),
    });
  });

  it('answers 200 to a change of several fields', async () => {
    const { data } = await newKey(app, organization.managementKey);

    expect(await patched(data.hash, FULL)).toMatchObject({ ...FULL, limit_remaining: 10 });
  });

  it('answers 200 and changes the limits per minute that it names, and removes those of null', async () => {
    const { data } = await newKey(app, organization.managementKey, {
      rate_limits: { requests_per_minute: 5, tokens_per_minute: 50 },
    });
    const limitsAfter = async (rate_limits: object | null): Promise<unknown> =>
      (await patched(data.hash, { rate_limits })).rate_limits;

    expect(await limitsAfter({ tokens_per_minute: 60 })).toEqual({ requests_per_minute: 5, tokens_per_minute: 60 });
    expect(await limitsAfter({ requests_per_minute: null })).toEqual({
      requests_per_minute: null,
      tokens_per_minute: 60,
    });
    expect((await patched(data.hash, { name: 'Kept' })).rate_limits).not.toBeNull();
    expect(await limitsAfter(null)).toBeNull();
    expect((await auditEventsOf(app, data.hash)).at(-1)!.changes).toEqual({
      rate_limits: { before: { requests_per_minute: null, tokens_per_minute: 60 }, after: null },
    });
  });

  it('answers 200 and changes nothing for the body that getKey answered and for an empty body', async () => {
    const { data } = await newKey(app, organization.managementKey, FULL);
    const { name, disabled, limit, limit_reset, include_byok_in_limit, rate_limits } = data;
    const row = await keyRowOf(app, data.hash);

    expect(
      await patched(data.hash, { name, disabled, limit, limit_reset, include_byok_in_limit, rate_limits }),
    ).toEqual(data);
    expect(await patched(data.hash, {})).toEqual(data);

    expect(await keyRowOf(app, data.hash)).toEqual(row);
    expect((await auditEventsOf(app, data.hash)).map(({ action }) => action)).toEqual(['key.create']);
  });

  it('answers 200 and records the changed fields', async () => {
    const { data } = await newKey(app, organization.managementKey, FULL);

    await patched(data.hash, { name: 'Other', limit: null, limit_reset: 'monthly' });

    expect((await auditEventsOf(app, data.hash)).slice(1)).toEqual([
      {
        action: 'key.update',
        target_type: 'key',
        target_id: data.hash,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: { name: { before: 'Full', after: 'Other' }, limit: { before: 10, after: null } },
      },
    ]);
  });

  it('disables a key for every replica at once (401), and enables it again (200)', async () => {
    const { data, key: made } = await newKey(app, organization.managementKey);

    await patched(data.hash, { disabled: true });
    expectRefusal(await replica.api.get('/key', { key: made }), { status: 401, reason: 'credential_disabled' });
    await patched(data.hash, { disabled: false });
    expect(await statusOfCurrentKey(replica, made)).toBe(200);
  });

  it('answers 200 to a management key that disables itself, which is answered 401 from then on', async () => {
    const own = await app.factory.key(organization, { kind: 'management_key' });

    const answer = await app.api.patch(`/keys/${own.hash}`, { key: own.plaintext, json: { disabled: true } });

    expect(answer.status).toBe(200);
    expect(await statusOfCurrentKey(replica, own.plaintext)).toBe(401);
    expect(await patched(own.hash, { disabled: false })).toMatchObject({ disabled: false });
  });

  it("answers 403 to enabling another user's disabled management key, whatever else the request changes", async () => {
    const userId = await app.factory.member(organization.organizationId);
    const other = await app.factory.key(organization, { kind: 'management_key', userId });
    await patched(other.hash, { disabled: true });
    const row = await keyRowOf(app, other.hash);

    const answer = await patch(other.hash, { disabled: false, name: 'Enabled' });

    expectRefusal(answer, {
      status: 403,
      reason: 'management_key_enabled_by_owner_only',
      userId: organization.userId,
    });
    expect(await keyRowOf(app, other.hash)).toEqual(row);
    expect(await statusOfCurrentKey(replica, other.plaintext)).toBe(401);
    expect(await patched(other.hash, { name: 'Renamed' })).toMatchObject({ name: 'Renamed', disabled: true });
  });

  it('answers 200 to two changes at the same time and keeps both', async () => {
    const { data } = await newKey(app, organization.managementKey, FULL);
    const release = await lockRows(app, 'SELECT id FROM api_keys WHERE hash = $1 FOR UPDATE', [
      Buffer.from(data.hash, 'hex'),
    ]);
    const changes = [patch(data.hash, { name: 'One' }), patch(data.hash, { limit: 1 })];
    await untilWaitingForLock(app, 2);
    await release();

    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await patched(data.hash, {})).toMatchObject({ name: 'One', limit: 1, limit_reset: 'monthly' });
  });

  describe('answers an error', () => {
    it.each([
      ['an empty name', { name: '' }, 'name'],
      ['a name of null', { name: null }, 'name'],
      ['a name of 257 characters', { name: 'x'.repeat(257) }, 'name'],
      ['a negative limit', { limit: -1 }, 'limit'],
      ['another reset', { limit_reset: 'lifetime' }, 'limit_reset'],
      ['disabled of null', { disabled: null }, 'disabled'],
      ['disabled of text', { disabled: 'true' }, 'disabled'],
      ['include_byok_in_limit of null', { include_byok_in_limit: null }, 'include_byok_in_limit'],
      ['no request per minute', { rate_limits: { requests_per_minute: 0 } }, 'rate_limits.requests_per_minute'],
      ['what is read only', { label: 'x' }, 'label'],
      ['another expiry', { expires_at: null }, 'expires_at'],
      ['another creator', { creator_user_id: null }, 'creator_user_id'],
      ['another workspace', { workspace_id: null }, 'workspace_id'],
    ])('400 for %s', async (_, json, path) => {
      const { data } = await newKey(app, organization.managementKey, FULL);
      const row = await keyRowOf(app, data.hash);

      const answer = await patch(data.hash, { limit: 1, ...json });

      const refusal = { status: 400, reason: 'invalid_parameters', paths: [path] };
      expectRefusal(answer, { ...refusal, userId: organization.userId });
      expectToFitContract('updateKeys', 400, answer.body);
      expect(await keyRowOf(app, data.hash)).toEqual(row);
    });

    it.each(someMalformedBodies({ name: 'x' }))('400, 413 or 415 for %s', async (_, request, refusal) => {
      const { data } = await newKey(app, organization.managementKey);
      const answer = await app.api.patch(`/keys/${data.hash}`, { key: organization.managementKey, ...request });

      expectRefusal(answer, { ...refusal, userId: organization.userId });
    });

    it("404 with the same body for another organization's key and for a missing one", async () => {
      const foreign = await app.factory.key(await app.factory.organization());
      const before = await keyRowOf(app, foreign.hash);
      const send = (hash: string): Promise<Answer> =>
        app.api.patch(`/keys/${hash}`, {
          key: organization.managementKey,
          json: { disabled: true },
          headers: { 'x-request-id': 'same' },
        });

      const answers = await Promise.all([foreign.hash, sha256('nothing'), 'x'].map(send));

      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expectRefusal(answers[0]!, { status: 404, reason: 'key_not_found', userId: organization.userId });
      expectToFitContract('updateKeys', 404, answers[0]!.body);
      expect(await keyRowOf(app, foreign.hash)).toEqual(before);
    });

    it('400 for a faulty body ahead of 404 for a missing key', async () => {
      const answer = await patch(sha256('nothing'), { name: '' });

      const refusal = { status: 400, reason: 'invalid_parameters', paths: ['name'] };
      expectRefusal(answer, { ...refusal, userId: organization.userId });
    });
  });
});

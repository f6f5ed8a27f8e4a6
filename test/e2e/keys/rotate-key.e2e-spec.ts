import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { sha256 } from '../../support/resources/authorization-codes.js';
import { keyRowOf, labelOf, newKey } from '../../support/resources/keys.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { storedText } from '../../support/database/stored-text.js';
import { TIMESTAMP } from '../../support/expectations/formats.js';
import { keyRotation } from './key-rotation.js';

describe('rotateKey', () => {
  const { app, replica, organization, rotate, rotated, endGrace, taken } = keyRotation();

  describe('gives the key another secret (201)', () => {
    it('and changes nothing else', async () => {
      const workspaceId = await app.factory.workspace(organization);
      const before = await newKey(app, organization.managementKey, {
        name: 'Rotated',
        workspace_id: workspaceId,
        limit: 10,
        limit_reset: 'monthly',
        include_byok_in_limit: true,
        rate_limits: { requests_per_minute: 600 },
        expires_at: '2099-01-01T00:00:00Z',
      });
      const row = await keyRowOf(app, before.data.hash);
      await app.rows('INSERT INTO key_spend VALUES ($1, $2, now(), 4, 2)', [organization.organizationId, row['id']]);

      const after = await rotated(before.data.hash, { grace_seconds: 60 });

      expect(after).toEqual({
        key: expect.stringMatching(/^sk-gate-v2-[0-9A-Za-z]{22}-[0-9a-f]{72}$/) as unknown,
        data: {
          ...before.data,
          hash: sha256(after.key),
          label: labelOf(after.key),
          updated_at: expect.stringMatching(TIMESTAMP) as unknown,
          usage: 4,
          usage_daily: 4,
          usage_weekly: 4,
          usage_monthly: 4,
          byok_usage: 2,
          byok_usage_daily: 2,
          byok_usage_weekly: 2,
          byok_usage_monthly: 2,
          limit_remaining: 4,
        },
      });
      expect(after.key).not.toBe(before.key);
      expect(await keyRowOf(app, after.data.hash)).toEqual({
        ...row,
        hash: Buffer.from(after.data.hash, 'hex'),
        label: after.data.label,
        updated_at: new Date(after.data.updated_at!),
        previous_hash: Buffer.from(before.data.hash, 'hex'),
        previous_hash_expires_at: expect.any(Date) as unknown,
      });
    });

    it.each([undefined, {}, { grace_seconds: 0 }])(
      'that replaces the old one at once (404 for the old hash) for %j',
      async (json) => {
        const before = await newKey(app, organization.managementKey);

        const after = await rotated(before.data.hash, json);

        expect(await taken(before.key, after.key)).toEqual([false, true]);
        expect(await keyRowOf(app, after.data.hash)).toMatchObject({
          previous_hash: null,
          previous_hash_expires_at: null,
        });
        expectRefusal(await rotate(before.data.hash), {
          status: 404,
          reason: 'key_not_found',
          userId: organization.userId,
        });
      },
    );

    it('and accepts the old secret until the grace ends, which is then answered 401', async () => {
      const before = await newKey(app, organization.managementKey);
      const start = Date.now();

      const after = await rotated(before.data.hash, { grace_seconds: 604_800 });

      const { previous_hash_expires_at: end } = await keyRowOf(app, after.data.hash);
      expect(Math.abs((end as Date).getTime() - start - 604_800_000)).toBeLessThan(60_000);
      expect(await taken(before.key, after.key)).toEqual([true, true]);
      await endGrace(after.data.hash);
      expect(await taken(before.key, after.key)).toEqual([false, true]);
      expectRefusal(await replica.api.get('/key', { key: before.key }), { status: 401, reason: 'invalid_credential' });
    });

    it('a second time, which ends the grace of the first', async () => {
      const first = await newKey(app, organization.managementKey);
      const second = await rotated(first.data.hash, { grace_seconds: 600 });

      const third = await rotated(second.data.hash, { grace_seconds: 600 });

      expect(await taken(first.key, second.key, third.key)).toEqual([false, true, true]);
    });

    it('a second time without a grace, which ends the grace of the first', async () => {
      const first = await newKey(app, organization.managementKey);
      const second = await rotated(first.data.hash, { grace_seconds: 600 });

      const third = await rotated(second.data.hash, { grace_seconds: 0 });

      expect(await taken(first.key, second.key, third.key)).toEqual([false, false, true]);
    });

    it('once: a rotation by a hash that was already replaced is answered 409, and both secrets stay valid', async () => {
      const first = await newKey(app, organization.managementKey);
      const second = await rotated(first.data.hash, { grace_seconds: 600 });
      const row = await keyRowOf(app, second.data.hash);

      const answer = await rotate(first.data.hash, { grace_seconds: 0 });

      expectRefusal(answer, { status: 409, reason: 'key_already_rotated', userId: organization.userId });
      expect(await keyRowOf(app, second.data.hash)).toEqual(row);
      expect((await auditEventsOf(app, first.data.hash)).map(({ action }) => action)).toEqual([
        'key.create',
        'key.rotate',
      ]);
      expect(await taken(first.key, second.key)).toEqual([true, true]);
    });

    it('for one of 20 rotations of one hash at the same time, answers 409 to the others, and keeps the grace', async () => {
      const first = await newKey(app, organization.managementKey);
      const rotations = Array.from({ length: 20 }, () => rotate(first.data.hash, { grace_seconds: 600 }));

      const answers = await Promise.all(rotations);

      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, ...Array<number>(19).fill(409)]);
      const { key: made } = answers.find(({ status }) => status === 201)!.body;
      expect(await taken(first.key, made)).toEqual([true, true]);
    });

    it('for a management key as well, also when it rotates itself', async () => {
      const own = await app.factory.key(organization, { kind: 'management_key' });

      const after = await rotated(own.hash, { grace_seconds: 0 }, own.plaintext);

      expect(after.key).toMatch(/^mk-gate-v2-[0-9A-Za-z]{22}-[0-9a-f]{72}$/);
      expect(await taken(own.plaintext, after.key)).toEqual([false, true]);
    });

    it.each(["a colleague's", 'another one of the same user'])(
      'but answers 403 to a management key for %s, and changes nothing',
      async (whose) => {
        const userId = whose === "a colleague's" ? await app.factory.member(organization.organizationId) : undefined;
        const other = await app.factory.key(organization, { kind: 'management_key', ...(userId && { userId }) });
        const [row, events] = [await keyRowOf(app, other.hash), await auditEventsOf(app, other.hash)];

        const answer = await rotate(other.hash, { grace_seconds: 604_800 });

        expectRefusal(answer, {
          status: 403,
          reason: 'management_key_rotates_itself_only',
          userId: organization.userId,
        });
        expect(await keyRowOf(app, other.hash)).toEqual(row);
        expect(await auditEventsOf(app, other.hash)).toEqual(events);
        expect(await taken(other.plaintext)).toEqual([true]);
      },
    );

    it("but answers 404 for another organization's management key, as for a missing one", async () => {
      const { hash } = await app.factory.key(await app.factory.organization(), { kind: 'management_key' });

      expectRefusal(await rotate(hash), { status: 404, reason: 'key_not_found', userId: organization.userId });
    });

    it('of a disabled and an expired key as well, which stay so', async () => {
      const disabled = await newKey(app, organization.managementKey);
      await app.api.patch(`/keys/${disabled.data.hash}`, { key: organization.managementKey, json: { disabled: true } });
      const expired = await app.factory.key(organization, { expiresAt: new Date(0) });

      const after = await rotated(disabled.data.hash, { grace_seconds: 60 });
      const afterExpired = await rotated(expired.hash, { grace_seconds: 60 });

      expect(after.data.disabled).toBe(true);
      expect(await taken(disabled.key, after.key, expired.plaintext, afterExpired.key)).toEqual(Array(4).fill(false));
    });
  });

  it('answers 201 and replaces the hash in the destinations that name the key, and changes nothing else of them', async () => {
    const [made, other] = [
      await newKey(app, organization.managementKey),
      await newKey(app, organization.managementKey),
    ];
    const destination = async (hashes: string[] | null): Promise<string> => {
      const config = { url: 'https://example.com/hook' };
      const json = { type: 'webhook', name: 'Hook', config, api_key_hashes: hashes };
      const answer = await app.api.post<{ data: { id: string } }>('/observability/destinations', {
        key: organization.managementKey,
        json,
      });
      expect(answer.status).toBe(201);
      return answer.body.data.id;
    };
    const naming = await destination([other.data.hash, made.data.hash]);
    const others = [await destination([other.data.hash]), await destination(null)];
    const rows = (ids: string[]): Promise<Record<string, unknown>[]> =>
      app.rows('SELECT * FROM observability_destinations WHERE id = ANY ($1) ORDER BY id', [ids]);
    const [[before], othersBefore] = [await rows([naming]), await rows(others)];

    const after = await rotated(made.data.hash, { grace_seconds: 60 });

    expect(await rows([naming])).toEqual([{ ...before, api_key_hashes: [other.data.hash, after.data.hash] }]);
    expect(await rows(others)).toEqual(othersBefore);
  });

  it('lets a client delete (200) a key that it created by its old hash, and answers it 404 for others', async () => {
    const client = await app.factory.client(organization);
    const otherClient = await app.factory.client(organization);
    const made = await app.factory.key(organization, { connectClientId: client.id });
    await rotated(made.hash, { grace_seconds: 600 });

    const refused = await app.api.delete(`/keys/${made.hash}`, { key: otherClient.plaintext });
    expectRefusal(refused, { status: 404, reason: 'key_not_found' });
    expect((await app.api.delete(`/keys/${made.hash}`, { key: client.plaintext })).status).toBe(200);
  });

  it('answers 201 to one of two rotations at the same time without a grace, and 404 to the other', async () => {
    const before = await newKey(app, organization.managementKey);
    const release = await lockRows(app, `SELECT id FROM api_keys WHERE hash = decode($1, 'hex') FOR UPDATE`, [
      before.data.hash,
    ]);
    const rotations = [rotate(before.data.hash), rotate(before.data.hash)];
    await untilWaitingForLock(app, 2);
    await release();
    const answers = await Promise.all(rotations);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
    const { key: made } = answers.find(({ status }) => status === 201)!.body;
    expect(await taken(before.key, made)).toEqual([false, true]);
  });

  it('leaves no valid secret when a deletion (200) and a rotation come at the same time', async () => {
    const before = await newKey(app, organization.managementKey);
    const release = await lockRows(app, `SELECT id FROM api_keys WHERE hash = decode($1, 'hex') FOR UPDATE`, [
      before.data.hash,
    ]);
    const rotation = rotate(before.data.hash, { grace_seconds: 600 });
    await untilWaitingForLock(app, 1);
    const deletion = app.api.delete(`/keys/${before.data.hash}`, { key: organization.managementKey });
    await untilWaitingForLock(app, 2);
    await release();

    expect([(await rotation).status, (await deletion).status]).toEqual([201, 200]);
    expect(await taken(before.key, (await rotation).body.key)).toEqual([false, false]);
  });

  it('answers 201 and records the rotation, without storing the secret', async () => {
    const before = await newKey(app, organization.managementKey);
    const after = await rotated(before.data.hash, { grace_seconds: 60 });

    expect((await auditEventsOf(app, before.data.hash)).slice(1)).toEqual([
      {
        action: 'key.rotate',
        target_type: 'key',
        target_id: before.data.hash,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: {
          hash: { before: before.data.hash, after: after.data.hash },
          label: { before: before.data.label, after: after.data.label },
          grace_seconds: { after: 60 },
        },
      },
    ]);
    const texts = [...(await storedText(app)).values(), app.logLines.join('')];
    for (const secret of [before.key, after.key]) {
      const random = secret.slice(11, 75);
      expect(
        texts.filter((text) => text.includes(random) || text.includes(Buffer.from(secret).toString('hex'))),
      ).toEqual([]);
    }
  });

  it.each([
    ['a negative grace', { grace_seconds: -1 }, 'grace_seconds'],
    ['a grace above a week', { grace_seconds: 604_801 }, 'grace_seconds'],
    ['half a second', { grace_seconds: 0.5 }, 'grace_seconds'],
    ['text', { grace_seconds: '60' }, 'grace_seconds'],
    ['null', { grace_seconds: null }, 'grace_seconds'],
    ['another field', { grace: 60 }, 'grace'],
  ])('answers 400 for %s', async (_, json, path) => {
    const made = await newKey(app, organization.managementKey);
    const answer = await rotate(made.data.hash, json);

    const refusal = { status: 400, reason: 'invalid_parameters', paths: [path] };
    expectRefusal(answer, { ...refusal, userId: organization.userId });
    expect(await taken(made.key)).toEqual([true]);
  });

  it.each(['x', sha256('nothing')])('answers 404 for %s', async (hash) => {
    expectRefusal(await rotate(hash), { status: 404, reason: 'key_not_found', userId: organization.userId });
  });
});

import type { IssuedKeyResponse, ListKeysResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { sha256 } from '../../support/resources/authorization-codes.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { keyRowOf, newKey, statusOfCurrentKey } from '../../support/resources/keys.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { storedText } from '../../support/database/stored-text.js';
import { partnerSecrets, newSecret } from './partner-secrets.js';

describe('the secret of a partner for a key', () => {
  const { app, organization, post } = partnerSecrets();

  it('is answered 200 beside the generated key, and both are the same key', async () => {
    const secret = newSecret();
    const { data, key: generated } = await newKey(app, organization.managementKey, {
      external: { user: 'customer-1', api_key: secret },
    });

    expect(generated).toMatch(/^sk-gate-v2-/);
    expect(data).toMatchObject({ hash: sha256(generated), external_user: 'customer-1' });
    const [byGenerated, bySecret] = [
      await app.api.get<{ data: object }>('/key', { key: generated }),
      await app.api.get<{ data: object }>('/key', { key: secret }),
    ];
    expect([byGenerated.status, bySecret.status]).toEqual([200, 200]);
    expect(bySecret.body).toEqual(byGenerated.body);
    expect(bySecret.body.data).toMatchObject({ label: data.label });
  });

  it('is answered 403 where a management key is required', async () => {
    const secret = newSecret();
    await newKey(app, organization.managementKey, { external: { user: 'customer-1', api_key: secret } });

    expectRefusal(await app.api.get('/keys', { key: secret }), {
      status: 403,
      reason: 'credential_kind_not_allowed',
      userId: organization.userId,
    });
  });

  it('is stored only as its SHA-256, and is in no answer, event or log line', async () => {
    const secret = newSecret();
    const hash = sha256(secret);
    const { data } = await newKey(app, organization.managementKey, {
      external: { user: 'customer-2', api_key: secret },
    });
    const answers = [
      await app.api.get(`/keys/${data.hash}`, { key: organization.managementKey }),
      await app.api.patch(`/keys/${data.hash}`, { key: organization.managementKey, json: { name: 'Renamed' } }),
      await app.api.get('/keys', { key: organization.managementKey }),
      await app.api.get('/audit-events', { key: organization.managementKey }),
      await app.api.get('/key', { key: secret }),
      await post({ user: 'customer-2', api_key: secret }),
      await app.api.post(`/keys/${data.hash}/rotate`, { key: organization.managementKey }),
    ];

    expect(await keyRowOf(app, (answers.at(-1)!.body as IssuedKeyResponse).data.hash)).toMatchObject({
      external_user: 'customer-2',
      external_api_key_hash: Buffer.from(hash, 'hex'),
    });
    for (const { text } of answers) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(hash);
    }
    for (const [table, text] of await storedText(app)) {
      expect([table, text.includes(secret)]).toEqual([table, false]);
      expect([table, text.includes(hash)]).toEqual([table, table === 'api_keys']);
    }
    expect(app.logLines.join('')).not.toContain(secret);
    expect(app.logLines.join('')).not.toContain(hash);
  });

  it('is recorded as present, with the user of the partner', async () => {
    const { data } = await newKey(app, organization.managementKey, {
      external: { user: 'customer-3', api_key: newSecret() },
    });
    const { data: without } = await newKey(app, organization.managementKey, { external: { user: 'customer-4' } });

    expect((await auditEventsOf(app, data.hash))[0]!.changes).toMatchObject({
      external_user: { after: 'customer-3' },
      has_external_api_key: { after: true },
    });
    expect((await auditEventsOf(app, without.hash))[0]!.changes).not.toHaveProperty('has_external_api_key');
  });

  it('is answered with external_user in every 200, which is null for a key without such a secret', async () => {
    const other = await app.factory.organization();
    const own = { key: other.managementKey };
    const { data: named } = await newKey(app, own.key, { external: { user: '\u{1f464} \u00e9' } });
    const { data: none } = await newKey(app, own.key);
    expect([named.external_user, none.external_user]).toEqual(['\u{1f464} \u00e9', null]);

    const list = await app.api.get<ListKeysResponse>('/keys', own);
    expectToFitContract('list', 200, list.body);
    expect(list.body.data.map(({ external_user: user }) => user)).toEqual(['\u{1f464} \u00e9', null]);
    for (const { hash, external_user: user } of [named, none]) {
      const answers = [
        ['getKey', await app.api.get<IssuedKeyResponse>(`/keys/${hash}`, own)],
        ['updateKeys', await app.api.patch<IssuedKeyResponse>(`/keys/${hash}`, { ...own, json: { name: 'x' } })],
      ] as const;
      for (const [operationId, { status, body }] of answers) {
        expectToFitContract(operationId, status, body);
        expect(body.data.external_user).toBe(user);
      }
    }
  });

  it.each([
    ['32 characters', 'x'.repeat(32)],
    ['512 characters', 'x'.repeat(512)],
    ['every character of a bearer token', 'ABCXYZabcxyz0189-._~+/-._~+/1234=='],
    ['a form like ours with another prefix', `xx-gate-v1-${'0'.repeat(72)}`],
    ['our prefix further back', `x-sk-gate-v1-${'0'.repeat(40)}`],
  ])('is answered 201 with %s, and 200 when it is used', async (_, secret) => {
    expect((await post({ user: 'x', api_key: secret })).status).toBe(201);
    expect(await statusOfCurrentKey(app, secret)).toBe(200);
  });

  it.each<[string, unknown, string, string?]>([
    ['no user', { api_key: 'x'.repeat(32) }, 'external.user'],
    ['an empty user', { user: '' }, 'external.user'],
    ['a user of null', { user: null }, 'external.user'],
    ['a user of 257 characters', { user: 'x'.repeat(257) }, 'external.user'],
    ['a user with NUL', { user: 'a\u0000' }, 'external.user'],
    ['a user with half a surrogate pair', { user: '\ud83d' }, 'external.user'],
    ['null in place of an object', null, 'external'],
    ['a list in place of an object', [], 'external'],
    ['another field', { user: 'x', label: 'y' }, 'external.label'],
    ['a secret of 31 characters', { user: 'x', api_key: 'x'.repeat(31) }, 'external.api_key'],
    ['a secret of 513 characters', { user: 'x', api_key: 'x'.repeat(513) }, 'external.api_key'],
    ['a secret of null', { user: 'x', api_key: null }, 'external.api_key'],
    ['a secret that is a number', { user: 'x', api_key: 1 }, 'external.api_key'],
    ['a secret with a space', { user: 'x', api_key: `${'x'.repeat(31)} y` }, 'external.api_key'],
    ['a secret with a line break', { user: 'x', api_key: `${'x'.repeat(32)}\n` }, 'external.api_key'],
    ['a secret with = ahead', { user: 'x', api_key: `=${'x'.repeat(32)}` }, 'external.api_key'],
    ['a secret of other letters', { user: 'x', api_key: '\u00e9'.repeat(32) }, 'external.api_key'],
    ...['mk-gate-v1-', 'sk-gate-v1-', 'cs-gate-v1-', 'ac-gate-v1-', 'SK-Gate-v9-'].map(
      (prefix): [string, unknown, string, string] => [
        `a secret that begins with ${prefix}`,
        { user: 'x', api_key: `${prefix}${'0'.repeat(72)}` },
        'external.api_key',
        'reserved_api_key_prefix',
      ],
    ),
  ])('is answered 400 with %s, and nothing is stored', async (_, external, path, reason = 'invalid_parameters') => {
    const stored = async (): Promise<unknown> => [
      await app.rows('SELECT count(*) FROM api_keys'),
      await app.rows('SELECT count(*) FROM audit_events'),
    ];
    const before = await stored();

    const answer = await post(external);

    expectRefusal(answer, { status: 400, reason, paths: [path], userId: organization.userId });
    expectToFitContract('createKeys', 400, answer.body);
    expect(answer.text).not.toContain('xxxxxxxx');
    expect(await stored()).toEqual(before);
  });

  it('is answered 409 when it is in use, in any organization and state, with the same body', async () => {
    const secret = newSecret();
    const { data } = await newKey(app, organization.managementKey, { external: { user: 'first', api_key: secret } });
    await app.api.patch(`/keys/${data.hash}`, { key: organization.managementKey, json: { disabled: true } });
    const other = await app.factory.organization();

    const [own, foreign] = [
      await post({ user: 'second', api_key: secret }),
      await post({ user: 'second', api_key: secret }, other.managementKey),
    ];

    for (const [answer, { userId }] of [
      [own, organization],
      [foreign, other],
    ] as const) {
      expectRefusal(answer, { status: 409, reason: 'external_api_key_taken', userId });
      expectToFitContract('createKeys', 409, answer.body);
    }
    expect(await app.rows(`SELECT id FROM api_keys WHERE external_user = 'second'`)).toEqual([]);
  });

  it('is answered 201 once when several requests bring the same one at the same time, and 409 to the others', async () => {
    const secret = newSecret();
    const organizations = await Promise.all(Array.from({ length: 4 }, () => app.factory.organization()));

    const answers = await Promise.all(
      [...organizations, ...organizations].map(({ managementKey }) =>
        post({ user: 'racing', api_key: secret }, managementKey),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    expect(await app.rows(`SELECT id FROM api_keys WHERE external_user = 'racing'`)).toHaveLength(1);
    expect(
      await app.rows(`SELECT id FROM audit_events WHERE changes -> 'external_user' ->> 'after' = 'racing'`),
    ).toHaveLength(1);
    expect(await statusOfCurrentKey(app, secret)).toBe(200);
  });
});

import type { ErrorBody } from '../../support/network/api-client.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedApplication } from '../../support/application/shared-application.js';

interface IssuedKey {
  readonly key: string;
  readonly data: { readonly hash: string };
}

interface KeyRow {
  readonly credential_id: string;
  readonly status: number;
  readonly has_answer: boolean;
  readonly hours: number;
}

const KEY = '4f8a1ab0-7a3c-4f0e-9d53-4f5c1d2e3f40';

describe('Idempotency-Key', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  const send = <Body = IssuedKey>(idempotencyKey: string, json: object = { name: 'Deployment' }, key?: string) =>
    app.api.post<Body>('/keys', {
      key: key ?? organization.managementKey,
      json,
      headers: { 'idempotency-key': idempotencyKey },
    });

  const keyCount = async (): Promise<number> => {
    const sql = `SELECT count(*)::int AS count FROM api_keys WHERE organization_id = $1 AND kind = 'api_key'`;
    return (await app.rows<{ count: number }>(sql, [organization.organizationId]))[0]!.count;
  };

  const rows = (): Promise<KeyRow[]> =>
    app.rows(
      `SELECT credential_id, status, sealed_answer IS NOT NULL AS has_answer,
         extract(epoch FROM expires_at - created_at)::float8 / 3600 AS hours
       FROM idempotency_keys WHERE organization_id = $1 ORDER BY created_at`,
      [organization.organizationId],
    );

  it('gives the secret of a new key once more with the 201, and keeps it for an hour', async () => {
    const first = await send(KEY);
    const second = await send(KEY);

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.key).toBe(first.body.key);
    expect(await keyCount()).toBe(1);
    expect(await rows()).toEqual([{ credential_id: expect.any(String), status: 201, has_answer: true, hours: 1 }]);
  });

  it('keeps the 200 of an answer without a secret for 24 hours', async () => {
    const { hash } = (await send('the-first-key')).body.data;
    const options = { key: organization.managementKey, json: { name: 'New' }, headers: { 'idempotency-key': 'short' } };

    const first = await app.api.patch(`/keys/${hash}`, options);
    await app.api.patch(`/keys/${hash}`, { ...options, json: { name: 'Newest' }, headers: {} });
    const second = await app.api.patch(`/keys/${hash}`, options);

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
    expect((await rows())[1]).toMatchObject({ has_answer: true, hours: 24 });
  });

  it.each([
    ['a quoted key', `"${KEY}"`, KEY],
    ['a key with escapes', String.raw`"a\"b\\c-0123456789"`, String.raw`a"b\c-0123456789`],
    ['a key of 255 characters', 'k'.repeat(255), `"${'k'.repeat(255)}"`],
  ])('takes %s for the same as the bare one: 201 once more', async (_, one, other) => {
    const first = await send(one);
    const second = await send(other);

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it.each([
    ['an empty key', ''],
    ['an empty quoted key', '""'],
    ['a key of 256 characters', 'k'.repeat(256)],
    ['a key with a space', 'two words'],
    ['a quoted key with a space', '"two words"'],
    ['several keys', 'one, two'],
    ['a quotation mark that does not end', '"abc'],
    ['characters behind the quotation mark', '"abc";a=1'],
    ['a backslash before another character', String.raw`"a\b"`],
    ['characters of Latin-1', 'schlüssel-0123456789'],
  ])('answers 400 for %s, and changes nothing', async (_, text) => {
    const { status, body } = await send<ErrorBody>(text);

    expect([status, body.error.metadata.reason]).toEqual([400, 'malformed_idempotency_key']);
    expect(body.error.metadata.issues?.map(({ path }) => path)).toEqual(['Idempotency-Key']);
    if (text !== '') expect(JSON.stringify(body)).not.toContain(text);
    expect([await keyCount(), await rows()]).toEqual([0, []]);
  });

  it('answers 422 for another body, query, path or method', async () => {
    const { hash } = (await send(KEY)).body.data;
    const options = {
      key: organization.managementKey,
      json: { name: 'Deployment' },
      headers: { 'idempotency-key': KEY },
    };

    const answers = [
      await send<ErrorBody>(KEY, { name: 'Another' }),
      await app.api.post<ErrorBody>('/workspaces', { ...options, json: { name: 'Deployment', slug: 'deployment' } }),
      await app.api.patch<ErrorBody>(`/keys/${hash}`, options),
    ];

    for (const { status, body } of answers) {
      expect([status, body.error.metadata.reason]).toEqual([422, 'idempotency_key_reused']);
    }
    expect(await keyCount()).toBe(1);
  });

  it('answers 201 once more when the fields of the body come in another order', async () => {
    const first = await send(KEY, {
      name: 'Deployment',
      rate_limits: { requests_per_minute: 5, tokens_per_minute: 6 },
    });
    const raw = '{ "rate_limits": {"tokens_per_minute": 6,  "requests_per_minute": 5}, "name": "Deploym\\u0065nt" }';
    const headers = { 'idempotency-key': KEY };
    const second = await app.api.post('/keys', { key: organization.managementKey, raw, headers });

    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
  });

  it('belongs to its credential: 201 for another one with the same key, even of the same organization', async () => {
    const other = await app.factory.organization();
    const { plaintext } = await app.factory.key(organization, { kind: 'management_key' });

    const answers = [
      await send(KEY),
      await send(KEY, undefined, plaintext),
      await send(KEY, { name: 'Foreign' }, other.managementKey),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.key)).size).toBe(3);
    expect(await keyCount()).toBe(2);
  });

  it('is not used up by a 400, a 404 or a 409: the next request is a new one', async () => {
    const missing = '0'.repeat(64);
    const headers = { 'idempotency-key': KEY };
    const workspace = await app.factory.workspace(organization, 'taken');
    const json = { name: 'Taken', slug: 'taken' };

    const refused = [
      await send(KEY, { name: 'Deployment', workspace_id: '00000000-0000-4000-8000-000000000000' }),
      await app.api.delete(`/keys/${missing}`, { key: organization.managementKey, headers }),
      await app.api.post('/workspaces', { key: organization.managementKey, json, headers }),
    ];
    expect([workspace, ...refused.map(({ status }) => status)]).toEqual([workspace, 400, 404, 409]);
    expect(await rows()).toEqual([]);

    const { status, headers: answered } = await send(KEY);
    expect([status, answered.get('idempotent-replayed')]).toEqual([201, null]);
  });

  it('with fewer than 16 characters keeps no secret: 409, and the key is made once', async () => {
    const first = await send('fifteen-chars-1');
    const second = await send<ErrorBody>('fifteen-chars-1');

    expect([first.status, second.status]).toEqual([201, 409]);
    expect(second.body.error.metadata.reason).toBe('idempotent_answer_not_kept');
    expect(await keyCount()).toBe(1);
    expect(await rows()).toEqual([expect.objectContaining({ has_answer: false, hours: 1 })]);
  });

  it('answers 409 after the rotation of its credential, whose new secret opens no earlier answer', async () => {
    const management = await app.factory.key(organization, { kind: 'management_key' });
    const first = await send(KEY, undefined, management.plaintext);
    const rotated = await app.api.post<IssuedKey>(`/keys/${management.hash}/rotate`, {
      key: management.plaintext,
      json: { grace_seconds: 600 },
    });

    const [before, after] = [
      await send(KEY, undefined, management.plaintext),
      await send<ErrorBody>(KEY, undefined, rotated.body.key),
    ];

    expect([first.status, before.status, after.status]).toEqual([201, 201, 409]);
    expect(before.text).toBe(first.text);
    expect(after.body.error.metadata.reason).toBe('idempotent_answer_not_kept');
    expect(await keyCount()).toBe(1);
  });

  it('that has expired is a new one, with a 201 of its own, and expired ones are cleared away', async () => {
    const first = await send(KEY);
    await send('another-key-of-the-organization');
    await app.rows('UPDATE idempotency_keys SET expires_at = now() WHERE organization_id = $1', [
      organization.organizationId,
    ]);

    const second = await send(KEY, { name: 'Another' });

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.key).not.toBe(first.body.key);
    expect(await rows()).toHaveLength(1);
  });

  it('is ignored by a GET with a 200, and by operations that change nothing', async () => {
    const headers = { 'idempotency-key': 'not a key' };
    const { managementKey: key } = organization;
    const json = { metrics: ['request_count'] };

    const answers = [
      await app.api.get('/keys', { key, headers }),
      await app.api.post('/analytics/query', { key, json, headers }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('is stored as a digest, and nothing of the request or the answer can be read, after a 201', async () => {
    const { body } = await send(KEY, { name: 'A name that is in no digest' });
    const [row] = await app.rows<{ text: string }>(
      `SELECT t::text AS text FROM idempotency_keys t WHERE organization_id = $1`,
      [organization.organizationId],
    );

    const parts = [KEY, body.key, 'A name that is in no digest', body.data.hash, organization.managementKey];
    for (const part of parts) {
      expect(row!.text).not.toContain(part);
      expect(row!.text).not.toContain(Buffer.from(part).toString('hex'));
    }
  });
});

describe('Idempotency-Key of an organization with as many keys as it may have', () => {
  const app = sharedApplication({ variables: { QUOTA_IDEMPOTENCY_KEYS: '2' } });
  const organization = organizationPerTest(app);

  it('answers 429 for a new one, and gives the 201 of a known one once more', async () => {
    const send = (key: string) =>
      app.api.post<ErrorBody>('/keys', {
        key: organization.managementKey,
        json: { name: 'Deployment' },
        headers: { 'idempotency-key': key },
      });

    const answers = [await send('the-first-of-the-keys'), await send('the-second-of-the-keys')];
    const third = await send('the-third-of-the-keys');
    const again = await send('the-first-of-the-keys');

    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect([third.status, third.body.error.metadata.reason]).toEqual([429, 'too_many_idempotency_keys']);
    expect(third.headers.get('retry-after')).toBe('60');
    expect([again.status, again.text]).toEqual([201, answers[0]!.text]);
  });
});

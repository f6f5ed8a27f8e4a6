import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { CreateAuthKeysCodeResponse } from '../../../src/modules/keys/oauth/authorization-code.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { CALLBACK_URL, newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { malformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** One code point, two UTF-16 code units. */
const ASTRAL = '\u{1f511}';

/** The challenge of RFC 7636, appendix B. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('createAuthKeysCode', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  const post = (fields: object): Promise<Answer<CreateAuthKeysCodeResponse>> =>
    app.api.post('/auth/keys/code', {
      key: organization.managementKey,
      json: { callback_url: CALLBACK_URL, ...fields },
    });

  const row = async (code: string): Promise<Record<string, unknown>> => {
    const rows = await app.rows('SELECT * FROM authorization_codes WHERE code_hash = $1', [
      Buffer.from(sha256(code), 'hex'),
    ]);
    expect(rows).toHaveLength(1);
    return rows[0]!;
  };

  const stored = (): Promise<unknown> =>
    app.rows(
      `SELECT (SELECT count(*) FROM authorization_codes) AS codes, (SELECT count(*) FROM oauth_applications) AS applications`,
    );

  /** Refused, and nothing stored. */
  const expectNothingStored = async (request: () => Promise<Answer>, refusal: Refusal): Promise<Answer> => {
    const before = await stored();
    const answer = await request();
    expectRefusal(answer, { userId: organization.userId, ...refusal });
    expect(await stored()).toEqual(before);
    return answer;
  };

  const expectRefused = (fields: object, reason: string, ...paths: string[]): Promise<Answer> =>
    expectNothingStored(() => post(fields), { status: 400, reason, paths });

  it('answers 200 and records the creation, without the code and its challenge', async () => {
    const fields = { code_challenge: CHALLENGE, code_challenge_method: 'S256', key_label: 'Label', limit: 5 };
    const code = await newCode(app, organization.managementKey, fields);

    const events = await auditEventsOf(app, (await row(code))['id'] as string);
    expect(events).toEqual([
      {
        action: 'authorization_code.create',
        target_type: 'authorization_code',
        target_id: expect.any(String) as unknown,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: {
          callback_url: { after: CALLBACK_URL },
          code_challenge_method: { after: 'S256' },
          user_id: { after: organization.userId },
          key_label: { after: 'Label' },
          limit: { after: 5 },
        },
      },
    ]);
  });

  describe('the created code', () => {
    it('is answered 200 for a callback URL alone', async () => {
      const before = Date.now();
      const { status, body } = await post({});
      const after = Date.now();

      expect(status).toBe(200);
      expectToFitContract('createAuthKeysCode', status, body);
      expect(body).toEqual({
        data: {
          id: expect.stringMatching(/^ac-gate-v2-[0-9A-Za-z]{22}-[0-9a-f]{72}$/) as unknown,
          app_id: expect.any(Number) as unknown,
          created_at: expect.stringMatching(TIMESTAMP) as unknown,
        },
      });
      const createdAt = new Date(body.data.created_at);
      expect(createdAt.getTime()).toBeGreaterThanOrEqual(before);
      expect(createdAt.getTime()).toBeLessThanOrEqual(after);
      const { id, ...rest } = await row(body.data.id);
      expect(id).toMatch(UUID_V7);
      expect(rest).toEqual({
        code_hash: Buffer.from(sha256(body.data.id), 'hex'),
        organization_id: organization.organizationId,
        user_id: organization.userId,
        application_id: expect.stringMatching(/^[0-9]+$/) as unknown,
        connect_client_id: null,
        callback_url: CALLBACK_URL,
        code_challenge: null,
        code_challenge_method: null,
        workspace_id: null,
        key_label: null,
        key_limit_usd: null,
        key_limit_reset: null,
        key_expires_at: null,
        spawn_agent: null,
        spawn_cloud: null,
        expires_at: new Date(createdAt.getTime() + 10 * 60 * 1000),
        used_at: null,
        issued_key_id: null,
        created_at: createdAt,
      });
    });

    it('stores (200) the settings of the key', async () => {
      const userId = await app.factory.member(organization.organizationId);
      const workspaceId = await app.factory.workspace(organization);

      const code = await newCode(app, organization.managementKey, {
        user_id: userId,
        workspace_id: workspaceId.toUpperCase(),
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        key_label: ASTRAL.repeat(100),
        limit: 12.5,
        usage_limit_type: 'weekly',
        expires_at: '2099-01-01T01:00:00.123+01:00',
        spawn_agent: 'agent',
        spawn_cloud: 'cloud',
      });

      expect(await row(code)).toMatchObject({
        user_id: userId,
        workspace_id: workspaceId,
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        key_label: ASTRAL.repeat(100),
        key_limit_usd: 12.5,
        key_limit_reset: 'weekly',
        key_expires_at: new Date('2099-01-01T00:00:00.123Z'),
        spawn_agent: 'agent',
        spawn_cloud: 'cloud',
      });
    });

    it('is for the user of the management key (200), unless the request names another one', async () => {
      const userId = await app.factory.member(organization.organizationId);
      const { plaintext } = await app.factory.key(organization, { kind: 'management_key', userId });

      expect(await row(await newCode(app, plaintext))).toMatchObject({ user_id: userId });
      expect(await row(await newCode(app, plaintext, { user_id: organization.userId }))).toMatchObject({
        user_id: organization.userId,
      });
    });

    it('is a new one (200) with every request', async () => {
      const codes = await Promise.all(Array.from({ length: 20 }, () => newCode(app, organization.managementKey)));

      expect(new Set(codes).size).toBe(20);
    });

    it('belongs to the application with the origin of the callback URL (200)', async () => {
      const idOf = async (url: string, managementKey = organization.managementKey): Promise<number> => {
        const json = { callback_url: url };
        const { body } = await app.api.post<CreateAuthKeysCodeResponse>('/auth/keys/code', {
          key: managementKey,
          json,
        });
        return body.data.app_id;
      };
      const other = await app.factory.organization();
      const first = await idOf('https://one.example.com/a');

      expect(await idOf('https://one.example.com:443/b?c=d')).toBe(first);
      expect(await idOf('https://one.example.com:8443/a')).not.toBe(first);
      expect(await idOf('https://two.example.com/a')).not.toBe(first);
      expect(await idOf('https://one.example.com/a', other.managementKey)).toBe(1);
      expect(
        await app.rows(
          `SELECT organization_id FROM oauth_applications WHERE origin = 'https://one.example.com' ORDER BY id`,
        ),
      ).toEqual([{ organization_id: organization.organizationId }, { organization_id: other.organizationId }]);
    });

    it('numbers applications from 1 in each organization, and uses up no number or id for a known one (200)', async () => {
      const one = await app.factory.organization();
      const other = await app.factory.organization();
      const numberOf = async ({ managementKey }: NewOrganization, host: string): Promise<number> => {
        const json = { callback_url: `https://${host}.example.com/` };
        const options = { key: managementKey, json };
        return (await app.api.post<CreateAuthKeysCodeResponse>('/auth/keys/code', options)).body.data.app_id;
      };
      const sequence = (): Promise<unknown> =>
        app.rows(`SELECT last_value FROM pg_sequences WHERE sequencename = 'oauth_applications_id_seq'`);

      expect(await numberOf(one, 'a')).toBe(1);
      expect(await numberOf(other, 'a')).toBe(1);
      const before = await sequence();
      for (let count = 0; count < 5; count += 1) expect(await numberOf(other, 'a')).toBe(1);
      expect(await sequence()).toEqual(before);
      expect(await numberOf(one, 'b')).toBe(2);
    });

    it('numbers each of many new applications that come at the same time (200)', async () => {
      const { managementKey } = await app.factory.organization();
      const hosts = ['a', 'b', 'c', 'd', 'e', 'f'];

      const answers = await Promise.all(
        hosts.map((host) =>
          app.api.post<CreateAuthKeysCodeResponse>('/auth/keys/code', {
            key: managementKey,
            json: { callback_url: `https://${host}.crowd.example.com/` },
          }),
        ),
      );

      expect(answers.map(({ body }) => body.data.app_id).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    });

    it('is answered 200 when more ids are used up than 32 bits can count', async () => {
      await app.rows(`SELECT setval('oauth_applications_id_seq', 2147483647)`);

      expect((await post({ callback_url: 'https://beyond.example.com/' })).status).toBe(200);
    });

    it('belongs to one application when many codes for a new one are requested at the same time (200)', async () => {
      const fields = { callback_url: 'https://crowded.example.com/' };

      const answers = await Promise.all(Array.from({ length: 10 }, () => post(fields)));

      expect(new Set(answers.map(({ body }) => body.data.app_id)).size).toBe(1);
    });

    it('deletes codes that expired 30 days ago, and no others (200)', async () => {
      const [old, recent, live] = [
        await newCode(app, organization.managementKey),
        await newCode(app, organization.managementKey),
        await newCode(app, organization.managementKey),
      ];
      const age = (code: string, interval: string): Promise<unknown> =>
        app.rows(`UPDATE authorization_codes SET expires_at = now() - $2::interval WHERE code_hash = $1`, [
          Buffer.from(sha256(code), 'hex'),
          interval,
        ]);
      await age(old, '30 days 1 minute');
      await age(recent, '29 days 23 hours');

      await newCode(app, organization.managementKey);

      await expect(row(old)).rejects.toThrow();
      await row(recent);
      await row(live);
    });
  });

  describe('callback_url', () => {
    it.each([
      'https://app.example.com',
      'https://app.example.com:8443/a/b;c?d=e&f=%20',
      'HTTPS://APP.EXAMPLE.COM/',
      'https://[2001:db8::1]/callback',
      'http://localhost/callback',
      'http://LOCALHOST:3000/',
      'http://127.0.0.1:51004/callback',
      'http://[::1]:3000/callback',
      'https://app.example.com:443/callback',
      'https://my_app.example.com/callback',
      `https://app.example.com/${'x'.repeat(2024)}`,
    ])('%s is answered 200, and is stored as it is', async (url) => {
      expect(await row(await newCode(app, organization.managementKey, { callback_url: url }))).toMatchObject({
        callback_url: url,
      });
    });

    it.each([
      'http://app.example.com/callback',
      'http://localhost.example.com/',
      'http://127.0.0.1.example.com/',
      'http://10.0.0.1/',
      'http://0.0.0.0/',
      'http://[::2]/',
      'ftp://localhost/',
      'myapp://callback',
      'javascript:alert(1)',
      'data:text/html,x',
      'urn:x',
      'https://user@app.example.com/',
      'https://user:password@app.example.com/',
      'https://:password@app.example.com/',
      'https://app.example.com/#fragment',
      '/callback',
      'app.example.com',
      'https://',
      'https://app example.com/',
      'https://app.example.com:99999/',
      'https://a%00b/',
      'https://1.2.3.256/',
      'https://[::1/',
      `https://${'a'.repeat(250)}.com/`,
      `https://app.example.com/${'x'.repeat(2025)}`,
      'https:evil.example.com',
      'https:/evil.example.com',
      'https:///evil.example.com',
      'http:localhost/',
      'http://0x7f000001/',
      'http://127.1/',
      'http://2130706433/',
      'http://[0:0:0:0:0:0:0:1]/',
      'https://*.example.com/',
      'https://%65vil.example.com/',
      'https://evil.example.com./',
      'https://-evil.example.com/',
      'https://evil!.example.com/',
      'https://evil.example.com:0443/',
      'https://app.example.com/#',
      '',
      'a\u0000b',
      null,
      7,
      ['https://app.example.com/'],
    ])('%p is answered 400', async (url) => {
      const before = await stored();
      const answer = await post({ callback_url: url });

      expect(answer.status).toBe(400);
      const { error } = answer.body as unknown as { error: { metadata: { issues: { path: string }[] } } };
      expect(new Set(error.metadata.issues.map((issue) => issue.path))).toEqual(new Set(['callback_url']));
      expect(await stored()).toEqual(before);
    });

    it('is answered 400 when it is missing', async () => {
      await expectNothingStored(() => app.api.post('/auth/keys/code', { key: organization.managementKey, json: {} }), {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['callback_url'],
      });
    });

    it('of a Connect client is answered 200 with a code for that client', async () => {
      const url = 'https://client.example.com/callback';
      const client = await app.factory.client(organization, ['https://elsewhere.example.com/', url]);
      const issuedTo = async (callbackUrl: string): Promise<unknown> =>
        (await row(await newCode(app, organization.managementKey, { callback_url: callbackUrl })))['connect_client_id'];

      expect(await issuedTo(url)).toBe(client.id);
      expect(await issuedTo('https://elsewhere.example.com/')).toBe(client.id);
      expect(await issuedTo('https://client.example.com:8443/callback')).toBeNull();
    });

    it.each([
      'https://SPELLED.example.com/Call%2Fback/a~b?c=d%C3%A9',
      'HTTPS://spelled.example.com:443/Call%2fback/a~b?c=d%c3%a9',
      'https://spelled.example.com/%43all%2Fback/a%7Eb?c=%64%C3%A9',
      'https://spelled.example.com/x/../Call%2Fback/./a~b?c=d%C3%A9',
      'https://spelled.example.com/x/%2e%2E/Call%2Fback/%2e/a~b?c=d%C3%A9',
    ])('of a Connect client in the equivalent spelling %s is answered 200 with a code for that client', async (url) => {
      const owner = await app.factory.organization();
      const client = await app.factory.client(owner, ['https://spelled.example.com/Call%2Fback/a~b?c=d%C3%A9']);

      const code = await newCode(app, owner.managementKey, { callback_url: url });

      expect(await row(code)).toMatchObject({ connect_client_id: client.id, callback_url: url });
    });

    it.each(['/', '/call', '/callback/', '/callback?a=b', '/Callback', '/call%2Fback', '/callback/../other'])(
      'is answered 400 when it has the origin of a Connect client and is none of its URLs: %s',
      async (place) => {
        await app.factory.client(organization, ['https://registered.example.com/callback']);

        const callback_url = `HTTPS://Registered.example.com:443${place}`;
        await expectRefused({ callback_url }, 'callback_url_not_registered', 'callback_url');
      },
    );

    it("of another organization's client is answered 200 with a code for no client", async () => {
      const url = 'https://foreign.example.com/callback';
      await app.factory.client(await app.factory.organization(), [url]);

      expect(
        (await row(await newCode(app, organization.managementKey, { callback_url: url })))['connect_client_id'],
      ).toBeNull();
    });

    it('of several clients is answered 200 with a code for the oldest', async () => {
      const url = 'https://shared.example.com/callback';
      const oldest = await app.factory.client(organization, [url]);
      await app.factory.client(organization, [url]);
      await app.rows(`UPDATE connect_clients SET created_at = created_at - interval '1 day' WHERE id = $1`, [
        oldest.id,
      ]);

      expect(
        (await row(await newCode(app, organization.managementKey, { callback_url: url })))['connect_client_id'],
      ).toBe(oldest.id);
    });
  });

  describe('code_challenge and code_challenge_method', () => {
    it.each([
      ['S256', { code_challenge: CHALLENGE, code_challenge_method: 'S256' }],
      ['plain', { code_challenge: CHALLENGE, code_challenge_method: 'plain' }],
      ['plain', { code_challenge: CHALLENGE }],
      ['plain', { code_challenge: 'a'.repeat(43) }],
      ['plain', { code_challenge: '~._-'.repeat(32) }],
    ])('answer 200 and store a challenge of the method %s', async (method, fields) => {
      expect(await row(await newCode(app, organization.managementKey, fields))).toMatchObject({
        ...fields,
        code_challenge_method: method,
      });
    });

    it.each([
      ['of 42 characters', { code_challenge: 'a'.repeat(42) }, 'code_challenge'],
      ['of 129 characters', { code_challenge: 'a'.repeat(129) }, 'code_challenge'],
      ['with other characters', { code_challenge: `${'a'.repeat(42)}+` }, 'code_challenge'],
      ['with a line break at its end', { code_challenge: `${'a'.repeat(43)}\n` }, 'code_challenge'],
      ['outside the basic plane', { code_challenge: ASTRAL.repeat(43) }, 'code_challenge'],
      ['of null', { code_challenge: null }, 'code_challenge'],
      ['of a number', { code_challenge: 1 }, 'code_challenge'],
      [
        'that is too long for S256',
        { code_challenge: `${CHALLENGE}A`, code_challenge_method: 'S256' },
        'code_challenge',
      ],
      ['that is not base64url', { code_challenge: '~'.repeat(43), code_challenge_method: 'S256' }, 'code_challenge'],
      ['of another method', { code_challenge: CHALLENGE, code_challenge_method: 'S512' }, 'code_challenge_method'],
      [
        'of a method in small letters',
        { code_challenge: CHALLENGE, code_challenge_method: 's256' },
        'code_challenge_method',
      ],
      ['of the method null', { code_challenge: CHALLENGE, code_challenge_method: null }, 'code_challenge_method'],
      ['that is missing', { code_challenge_method: 'S256' }, 'code_challenge'],
      ['that is missing for plain', { code_challenge_method: 'plain' }, 'code_challenge'],
    ])('answer 400 to a challenge %s', async (_, fields, path) => {
      await expectRefused(fields, 'invalid_parameters', path);
    });
  });

  describe('user_id and workspace_id', () => {
    it('answer 400 with the same body for a user who is not a member and for a missing one', async () => {
      const other = await app.factory.organization();
      const attempt = (userId: string) => (): Promise<Answer> =>
        app.api.post('/auth/keys/code', {
          key: organization.managementKey,
          headers: { 'x-request-id': 'same' },
          json: { callback_url: CALLBACK_URL, user_id: userId },
        });
      const refusal = { status: 400, reason: 'user_not_found', paths: ['user_id'] };

      const foreign = await expectNothingStored(attempt(other.userId), refusal);
      const missing = await expectNothingStored(attempt('user_019aa3f05b1e7c409d0e3d1c2b4a5f62'), refusal);

      expect(foreign.text).toBe(missing.text);
    });

    it("answer 400 with the same body for another organization's workspace and for a missing one", async () => {
      const other = await app.factory.organization();
      const attempt = (workspaceId: string) => (): Promise<Answer> =>
        app.api.post('/auth/keys/code', {
          key: organization.managementKey,
          headers: { 'x-request-id': 'same' },
          json: { callback_url: CALLBACK_URL, workspace_id: workspaceId },
        });
      const refusal = { status: 400, reason: 'workspace_not_found', paths: ['workspace_id'] };

      const foreign = await expectNothingStored(attempt(other.workspaceId), refusal);
      const missing = await expectNothingStored(attempt(UNKNOWN_UUID), refusal);

      expect(foreign.text).toBe(missing.text);
    });

    it('answer 400 with the issues of both fields at once', async () => {
      await expectRefused({ user_id: '', workspace_id: UNKNOWN_UUID }, 'invalid_parameters', 'user_id', 'workspace_id');
    });

    it.each([
      ['user_id', null],
      ['user_id', 1],
      ['user_id', 'a\u0000'],
      ['user_id', '\ud800'],
      ['workspace_id', null],
      ['workspace_id', 'default'],
      ['workspace_id', ''],
      ['workspace_id', `urn:uuid:${UNKNOWN_UUID}`],
    ])('answer 400 for a %s of %p', async (field, value) => {
      await expectRefused({ [field]: value }, 'invalid_parameters', field);
    });
  });

  describe('the settings of the key', () => {
    it.each([
      ['limit', 0, 'key_limit_usd', 0],
      ['limit', 0.01, 'key_limit_usd', 0.01],
      ['limit', 1e300, 'key_limit_usd', 1e300],
      ['usage_limit_type', 'daily', 'key_limit_reset', 'daily'],
      ['usage_limit_type', 'weekly', 'key_limit_reset', 'weekly'],
      ['usage_limit_type', 'monthly', 'key_limit_reset', 'monthly'],
      ['key_label', '', 'key_label', ''],
      ['expires_at', null, 'key_expires_at', null],
      ['expires_at', '2099-12-31T23:59:59Z', 'key_expires_at', new Date('2099-12-31T23:59:59.000Z')],
      ['expires_at', '9999-12-31T23:59:59Z', 'key_expires_at', new Date('9999-12-31T23:59:59.000Z')],
      ['spawn_agent', 'x'.repeat(256), 'spawn_agent', 'x'.repeat(256)],
      ['spawn_cloud', 'x'.repeat(256), 'spawn_cloud', 'x'.repeat(256)],
      ['expires_at', '2099-06-30t12:00:00.123456z', 'key_expires_at', new Date('2099-06-30T12:00:00.123Z')],
    ])('answer 200 and store a %s of %p', async (field, value, column, expected) => {
      expect((await row(await newCode(app, organization.managementKey, { [field]: value })))[column]).toEqual(expected);
    });

    it.each([
      ['limit', '-0.01'],
      ['limit', '1e400'],
      ['limit', '"5"'],
      ['limit', 'null'],
      ['usage_limit_type', '"yearly"'],
      ['usage_limit_type', '""'],
      ['usage_limit_type', 'null'],

      ['key_label', 'null'],
      ['key_label', '"\\u0000"'],
      ['key_label', '"\\udd11"'],
      ['expires_at', '"2020-01-01T00:00:00Z"'],
      ['expires_at', '"2099-02-30T00:00:00Z"'],
      ['expires_at', '"2099-01-01"'],
      ['expires_at', '"2099-01-01T00:00:00"'],
      ['expires_at', '"2099-01-01 00:00:00Z"'],
      ['expires_at', '"2098-12-31T23:59:60Z"'],
      ['expires_at', '"2099-01-01T24:00:00Z"'],
      ['expires_at', '"tomorrow"'],
      ['expires_at', '""'],
      ['expires_at', '4070908800'],
      ['expires_at', '"9999-12-31T23:59:59-23:59"'],
      ['spawn_agent', `"${'x'.repeat(257)}"`],
      ['spawn_cloud', `"${'x'.repeat(257)}"`],
      ['spawn_agent', 'null'],
      ['spawn_agent', '"\\u0000"'],
      ['spawn_cloud', '{}'],
      ['spawn_cloud', '"\\ud800"'],
    ])('answer 400 for a %s of %s', async (field, literal) => {
      const raw = `{"callback_url":"${CALLBACK_URL}","${field}":${literal}}`;

      await expectNothingStored(() => app.api.post('/auth/keys/code', { key: organization.managementKey, raw }), {
        status: 400,
        reason: 'invalid_parameters',
        paths: [field],
      });
    });

    it.each(['x', ASTRAL])('answer 200 for a name of 100 times %s, and 400 for 101', async (character) => {
      const code = await newCode(app, organization.managementKey, { key_label: character.repeat(100) });

      expect(await row(code)).toMatchObject({ key_label: character.repeat(100) });
      await expectRefused({ key_label: character.repeat(101) }, 'invalid_parameters', 'key_label');
    });
  });

  describe('for faulty requests', () => {
    it('answers 400 and names all issues at once', async () => {
      await expectRefused(
        {
          callback_url: 'http://app.example.com/',
          code_challenge_method: 'plain',
          user_id: 1,
          workspace_id: 'x',
          key_label: 'x'.repeat(101),
          limit: -1,
          usage_limit_type: 'hourly',
          expires_at: 'yesterday',
          spawn_agent: 1,
          surprise: true,
        },
        'invalid_parameters',
        'callback_url',
        'code_challenge',
        'user_id',
        'workspace_id',
        'key_label',
        'limit',
        'usage_limit_type',
        'expires_at',
        'spawn_agent',
        'surprise',
      );
    });

    it.each(malformedBodies({ callback_url: CALLBACK_URL }))(
      'answers 400, 413 or 415 for %s',
      async (_, request, refusal) => {
        await expectNothingStored(
          () => app.api.post('/auth/keys/code', { key: organization.managementKey, ...request }),
          refusal,
        );
      },
    );
  });
});

import type { ExchangeAuthCodeResponse } from '../../../src/modules/keys/oauth/authorization-code.dto.js';
import { newOrganizationId } from '../../../src/persistence/identifiers.js';
import { issueAuthorizationCode } from '../../../src/modules/keys/credentials/key-format.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { auditEventsOf, type RecordedEvent } from '../../support/expectations/audit-events.js';
import { newChallengedCode, newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { pkcePair } from '../../support/application/factory.js';
import { labelOf } from '../../support/resources/keys.js';
import { malformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { storedText } from '../../support/database/stored-text.js';
import { TestApplication } from '../../support/application/test-application.js';
import { UUID_V7 } from '../../support/expectations/formats.js';
import { sharedApplication, sharedReplica } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const INVALID_CODE = { status: 403, reason: 'invalid_authorization_code' };

const EXPIRED_CODE = { status: 403, reason: 'authorization_code_expired' };

const INVALID_VERIFIER = { status: 403, reason: 'invalid_code_verifier' };

/** What is refused because the stored challenge asks for something else. */
const mismatch = (...paths: string[]): { status: number; reason: string; paths: string[] } => ({
  status: 400,
  reason: 'code_challenge_mismatch',
  paths,
});

/** A credential, and its user where it has one. */
interface Caller {
  readonly credential: string;
  readonly userId?: string;
}

describe('exchangeAuthCodeForAPIKey', () => {
  const app = sharedApplication();
  const replica = sharedReplica(app);
  const organization = sharedOrganization(app);

  const exchange = (
    json: unknown,
    credential = organization.managementKey,
    { api } = app,
  ): Promise<Answer<ExchangeAuthCodeResponse>> => api.post('/auth/keys', { key: credential, json });

  const exchanged = async (
    json: unknown,
    credential = organization.managementKey,
  ): Promise<ExchangeAuthCodeResponse> => {
    const answer = await exchange(json, credential);
    expect(answer.text).toContain('"key"');
    expect(answer.status).toBe(200);
    return answer.body;
  };

  const keyRow = async (plaintext: string): Promise<Record<string, unknown>> => {
    const rows = await app.rows('SELECT * FROM api_keys WHERE hash = $1', [Buffer.from(sha256(plaintext), 'hex')]);
    expect(rows).toHaveLength(1);
    return rows[0]!;
  };

  const codeRow = async (code: string): Promise<Record<string, unknown>> => {
    const rows = await app.rows('SELECT * FROM authorization_codes WHERE code_hash = $1', [
      Buffer.from(sha256(code), 'hex'),
    ]);
    expect(rows).toHaveLength(1);
    return rows[0]!;
  };

  const countKeys = async (): Promise<number> => (await app.rows('SELECT id FROM api_keys')).length;

  /** The status of an operation that any key may call. */
  const statusWith = async (plaintext: string): Promise<number> =>
    (await replica.api.get('/images/models', { key: plaintext })).status;

  /** Refused, without a new key, and with an unchanged code. */
  const expectRefused = async (
    request: { code: string } & Record<string, unknown>,
    refusal: { status: number; reason: string; paths?: readonly string[] },
    caller: Caller = { credential: organization.managementKey, userId: organization.userId },
  ): Promise<void> => {
    const before = [await countKeys(), await app.rows('SELECT * FROM authorization_codes ORDER BY id')];
    const answer = await exchange(request, caller.credential);
    expectRefusal(answer, { ...refusal, ...(caller.userId !== undefined && { userId: caller.userId }) });
    expect([await countKeys(), await app.rows('SELECT * FROM authorization_codes ORDER BY id')]).toEqual(before);
  };

  /** Moves the end of a code's time. */
  const setExpiry = (code: string, fromNow: string): Promise<unknown> =>
    app.rows('UPDATE authorization_codes SET expires_at = now() + $2::interval WHERE code_hash = $1', [
      Buffer.from(sha256(code), 'hex'),
      fromNow,
    ]);

  describe('the key of an exchange', () => {
    it('is answered 200, belongs to the user of the code, and works', async () => {
      const request = await newChallengedCode(app, organization.managementKey);
      const before = Date.now();

      const answer = await exchange(request);

      expect(answer.status).toBe(200);
      expectToFitContract('exchangeAuthCodeForAPIKey', 200, answer.body);
      expect(answer.body).toEqual({
        key: expect.stringMatching(/^sk-gate-v2-[0-9A-Za-z]{22}-[0-9a-f]{72}$/) as unknown,
        user_id: organization.userId,
      });
      const { id, created_at, label, ...row } = await keyRow(answer.body.key);
      expect(row).toEqual({
        organization_id: organization.organizationId,
        user_id: organization.userId,
        kind: 'api_key',
        hash: Buffer.from(sha256(answer.body.key), 'hex'),
        previous_hash: null,
        previous_hash_expires_at: null,
        name: 'OAuth key',
        workspace_id: null,
        connect_client_id: null,
        disabled: false,
        limit_usd: null,
        limit_reset: null,
        include_byok_in_limit: false,
        requests_per_minute: null,
        tokens_per_minute: null,
        expires_at: null,
        external_user: null,
        external_api_key_hash: null,
        updated_at: null,
      });
      expect(id).toMatch(UUID_V7);
      expect((created_at as Date).getTime()).toBeGreaterThanOrEqual(before);
      expect(label).toBe(labelOf(answer.body.key));
      expect(await codeRow(request.code)).toMatchObject({ used_at: expect.any(Date) as unknown, issued_key_id: id });
      expect(await statusWith(answer.body.key)).toBe(200);
    });

    it('has the settings of the code (200)', async () => {
      const userId = await app.factory.member(organization.organizationId);
      const workspaceId = await app.factory.workspace(organization);
      const code = await newCode(app, organization.managementKey, {
        user_id: userId,
        workspace_id: workspaceId,
        key_label: 'My application',
        limit: 12.5,
        usage_limit_type: 'monthly',
        expires_at: '2099-01-01T00:00:00.123Z',
      });

      const answer = await exchanged({ code });

      expect(answer.user_id).toBe(userId);
      expect(await keyRow(answer.key)).toMatchObject({
        organization_id: organization.organizationId,
        user_id: userId,
        kind: 'api_key',
        name: 'My application',
        workspace_id: workspaceId,
        limit_usd: 12.5,
        limit_reset: 'monthly',
        expires_at: new Date('2099-01-01T00:00:00.123Z'),
      });
    });

    it('belongs to the client that exchanged the code, and to none otherwise (200)', async () => {
      const client = await app.factory.client(organization);
      const apiKey = await app.factory.key(organization);
      const ownerWith = async (credential: string): Promise<unknown> => {
        const { key: made } = await exchanged({ code: await newCode(app, organization.managementKey) }, credential);
        return (await keyRow(made))['connect_client_id'];
      };

      expect(await ownerWith(client.plaintext)).toBe(client.id);
      expect(await ownerWith(apiKey.plaintext)).toBeNull();
      expect(await ownerWith(organization.managementKey)).toBeNull();
    });
  });

  describe('the challenge of a code', () => {
    it.each([
      ['S256, with its method', 'S256', true],
      ['S256, without a method', 'S256', false],
      ['plain, with its method', 'plain', true],
      ['plain, without a method', 'plain', false],
    ])('is answered according to the verifier, 200 when it fits: %s', async (_, method, sendsMethod) => {
      const { verifier, challenge } = pkcePair();
      const code = await newCode(app, organization.managementKey, {
        code_challenge: method === 'S256' ? challenge : verifier,
        code_challenge_method: method,
      });

      await exchanged({
        code,
        code_verifier: verifier,
        ...(sendsMethod && { code_challenge_method: method }),
      });
    });

    it('is answered 200 for the verifier of RFC 7636, appendix B', async () => {
      const code = await newCode(app, organization.managementKey, {
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      });

      await exchanged({ code, code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' });
    });

    it('is plain when it was created without a method (200)', async () => {
      const challenge = 'a'.repeat(43);
      const code = await newCode(app, organization.managementKey, { code_challenge: challenge });

      await exchanged({ code, code_verifier: challenge, code_challenge_method: 'plain' });
    });

    it.each([{}, { code_challenge_method: null }])(
      'is not required (200) for a code without one: %j',
      async (fields) => {
        await exchanged({ code: await newCode(app, organization.managementKey), ...fields });
      },
    );

    it('of the method S256 is answered 403 for a wrong verifier and 400 for a missing one or another method, none of which uses up the code', async () => {
      const { verifier, challenge } = pkcePair();
      const code = await newCode(app, organization.managementKey, {
        code_challenge: challenge,
        code_challenge_method: 'S256',
      });

      await expectRefused({ code }, mismatch('code_verifier'));
      await expectRefused({ code, code_challenge_method: 'S256' }, mismatch('code_verifier'));
      await expectRefused(
        { code, code_verifier: verifier, code_challenge_method: 'plain' },
        mismatch('code_challenge_method'),
      );
      await expectRefused(
        { code, code_verifier: verifier, code_challenge_method: null },
        mismatch('code_challenge_method'),
      );
      await expectRefused({ code, code_challenge_method: 'plain' }, mismatch('code_challenge_method', 'code_verifier'));
      await expectRefused({ code, code_verifier: pkcePair().verifier }, INVALID_VERIFIER);
      await expectRefused({ code, code_verifier: challenge }, INVALID_VERIFIER);
      await expectRefused({ code, code_verifier: `${verifier} ` }, INVALID_VERIFIER);
      await expectRefused({ code, code_verifier: verifier.toLowerCase() }, INVALID_VERIFIER);
      await expectRefused({ code, code_verifier: '' }, INVALID_VERIFIER);
      await exchanged({ code, code_verifier: verifier });
    });

    it('of the method plain is answered 403 for a wrong verifier and 400 for a missing one or another method, none of which uses up the code', async () => {
      const { verifier, challenge } = pkcePair();
      const code = await newCode(app, organization.managementKey, {
        code_challenge: verifier,
        code_challenge_method: 'plain',
      });

      await expectRefused({ code }, mismatch('code_verifier'));
      await expectRefused(
        { code, code_verifier: verifier, code_challenge_method: 'S256' },
        mismatch('code_challenge_method'),
      );
      await expectRefused(
        { code, code_verifier: verifier, code_challenge_method: null },
        mismatch('code_challenge_method'),
      );
      await expectRefused({ code, code_verifier: challenge, code_challenge_method: 'plain' }, INVALID_VERIFIER);
      await expectRefused({ code, code_verifier: verifier.slice(1) }, INVALID_VERIFIER);
      await exchanged({ code, code_verifier: verifier });
    });

    it('is answered 400 for a verifier or method when there was no challenge, which does not use up the code', async () => {
      const { verifier } = pkcePair();
      const code = await newCode(app, organization.managementKey);

      await expectRefused({ code, code_verifier: verifier }, mismatch('code_verifier'));
      await expectRefused({ code, code_verifier: '' }, mismatch('code_verifier'));
      await expectRefused({ code, code_challenge_method: 'S256' }, mismatch('code_challenge_method'));
      await expectRefused({ code, code_challenge_method: 'plain' }, mismatch('code_challenge_method'));
      await expectRefused(
        { code, code_verifier: verifier, code_challenge_method: 'S256' },
        mismatch('code_challenge_method', 'code_verifier'),
      );
      await exchanged({ code });
    });
  });

  describe('a code', () => {
    it('is answered 403 when it was never issued', async () => {
      await expectRefused({ code: issueAuthorizationCode(newOrganizationId()).plaintext }, INVALID_CODE);
      await expectRefused({ code: 'x' }, INVALID_CODE);
      await expectRefused({ code: 'x'.repeat(10_000) }, INVALID_CODE);
      await expectRefused({ code: organization.managementKey }, INVALID_CODE);
      const { code } = await newChallengedCode(app, organization.managementKey);
      await expectRefused({ code: code.toUpperCase() }, INVALID_CODE);
      await expectRefused({ code: ` ${code}` }, INVALID_CODE);
      await expectRefused({ code: sha256(code) }, INVALID_CODE);
    });

    it('is answered 403 when it has expired', async () => {
      const request = await newChallengedCode(app, organization.managementKey);
      await setExpiry(request.code, '0 seconds');
      await expectRefused(request, EXPIRED_CODE);
      await expectRefused({ code: request.code }, EXPIRED_CODE);

      await setExpiry(request.code, '1 minute');

      await exchanged(request);
    });

    it("is answered 403 to another organization's credentials, which do not use it up", async () => {
      const other = await app.factory.organization();
      const request = await newChallengedCode(app, organization.managementKey);
      const unknown = { ...request, code: issueAuthorizationCode(newOrganizationId()).plaintext };
      const callers: Caller[] = [
        { credential: other.managementKey, userId: other.userId },
        { credential: (await app.factory.key(other)).plaintext, userId: other.userId },
        { credential: (await app.factory.client(other)).plaintext },
      ];
      const bytes = async (json: object, credential: string): Promise<string> =>
        (await app.api.post('/auth/keys', { key: credential, json, headers: { 'x-request-id': 'same' } })).text;

      for (const caller of callers) {
        await expectRefused(request, INVALID_CODE, caller);
        await expectRefused({ code: request.code }, INVALID_CODE, caller);
        expect(await bytes(request, caller.credential)).toBe(await bytes(unknown, caller.credential));
      }
      await setExpiry(request.code, '0 seconds');
      for (const caller of callers) await expectRefused(request, INVALID_CODE, caller);
      await setExpiry(request.code, '1 minute');
      await exchanged(request);
    });

    it('of a Connect client is answered 403 to every other caller, who does not use it up', async () => {
      const url = 'https://client.example.com/callback';
      const client = await app.factory.client(organization, [url]);
      const otherClient = await app.factory.client(organization);
      const apiKey = await app.factory.key(organization);
      const request = await newChallengedCode(app, organization.managementKey, { callback_url: url });

      await expectRefused(request, INVALID_CODE);
      await expectRefused(request, INVALID_CODE, { credential: apiKey.plaintext, userId: organization.userId });
      await expectRefused(request, INVALID_CODE, { credential: otherClient.plaintext });
      await expectRefused({ code: request.code }, INVALID_CODE, { credential: otherClient.plaintext });
      const { key: made, user_id: userId } = await exchanged(request, client.plaintext);

      expect(userId).toBe(organization.userId);
      expect(await keyRow(made)).toMatchObject({ connect_client_id: client.id, user_id: organization.userId });
    });
  });

  describe('a replay', () => {
    it('of a code with a challenge is answered 403, and the key is still answered 200', async () => {
      const request = await newChallengedCode(app, organization.managementKey);
      const { key: made } = await exchanged(request);
      const row = await keyRow(made);

      await expectRefused(request, INVALID_CODE);
      await expectRefused({ code: request.code }, INVALID_CODE);
      await expectRefused({ ...request, code_verifier: 'x' }, INVALID_CODE);

      expect(await keyRow(made)).toEqual(row);
      expect(row['disabled']).toBe(false);
      expect(await statusWith(made)).toBe(200);
    });

    it('of a code without a challenge is answered 403, and disables the key, which is answered 401', async () => {
      const code = await newCode(app, organization.managementKey);
      const { key: made } = await exchanged({ code });
      const row = await keyRow(made);
      expect(await statusWith(made)).toBe(200);

      await expectRefused({ code }, INVALID_CODE);

      expect(await keyRow(made)).toEqual({ ...row, disabled: true, updated_at: expect.any(Date) as unknown });
      const answer = await replica.api.get('/images/models', { key: made });
      expectRefusal(answer, { status: 401, reason: 'credential_disabled' });
    });

    it('after the code has expired is answered 403, and disables the key too', async () => {
      const code = await newCode(app, organization.managementKey);
      const { key: made } = await exchanged({ code });
      await setExpiry(code, '-1 day');

      await expectRefused({ code }, INVALID_CODE);

      expect(await keyRow(made)).toMatchObject({ disabled: true });
    });

    it('is answered 403 and disables the one key and no other', async () => {
      const [code, otherCode] = [
        await newCode(app, organization.managementKey),
        await newCode(app, organization.managementKey),
      ];
      const { key: made } = await exchanged({ code });
      const { key: other } = await exchanged({ code: otherCode });

      await expectRefused({ code }, INVALID_CODE);

      expect([await statusWith(made), await statusWith(other), await statusWith(organization.managementKey)]).toEqual([
        401, 200, 200,
      ]);
    });

    it('by a caller who may not use the code is answered 403, and leaves the key enabled', async () => {
      const other = await app.factory.organization();
      const url = 'https://replayed.example.com/callback';
      const client = await app.factory.client(organization, [url]);
      const code = await newCode(app, organization.managementKey);
      const clientCode = await newCode(app, organization.managementKey, { callback_url: url });
      const { key: made } = await exchanged({ code });
      const { key: clientMade } = await exchanged({ code: clientCode }, client.plaintext);

      await expectRefused({ code }, INVALID_CODE, { credential: other.managementKey, userId: other.userId });
      await expectRefused({ code: clientCode }, INVALID_CODE);

      expect([await statusWith(made), await statusWith(clientMade)]).toEqual([200, 200]);
      await expectRefused({ code: clientCode }, INVALID_CODE, { credential: client.plaintext });
      expect(await statusWith(clientMade)).toBe(401);
    });

    it('after the deletion of the key (200) is answered 403', async () => {
      const code = await newCode(app, organization.managementKey);
      const { key: made } = await exchanged({ code });
      const answer = await app.api.delete(`/keys/${sha256(made)}`, { key: organization.managementKey });
      expect(answer.status).toBe(200);

      await expectRefused({ code }, INVALID_CODE);

      expect(await codeRow(code)).toMatchObject({ used_at: expect.any(Date) as unknown, issued_key_id: null });
    });
  });

  describe('the audit trail', () => {
    const events = async (made: string): Promise<RecordedEvent[]> => auditEventsOf(app, sha256(made));

    it('records who created the key from which code (200)', async () => {
      const workspaceId = await app.factory.workspace(organization);
      const request = await newChallengedCode(app, organization.managementKey, {
        key_label: 'Named by the code',
        limit: 3,
        usage_limit_type: 'daily',
        workspace_id: workspaceId,
      });
      const client = await app.factory.client(organization);
      const { key: made } = await exchanged(request, client.plaintext);
      const { id: codeId } = await codeRow(request.code);
      const row = await keyRow(made);

      const [creation] = await auditEventsOf(app, codeId as string);
      expect(creation).toMatchObject({ action: 'authorization_code.create', target_type: 'authorization_code' });
      expect(await events(made)).toEqual([
        {
          action: 'key.create',
          target_type: 'key',
          target_id: sha256(made),
          actor_kind: 'client_secret',
          actor_id: client.id,
          changes: {
            name: { after: 'Named by the code' },
            label: { after: row['label'] },
            disabled: { after: false },
            creator_user_id: { after: organization.userId },
            workspace_id: { after: workspaceId },
            connect_client_id: { after: client.id },
            limit: { after: 3 },
            limit_reset: { after: 'daily' },
            include_byok_in_limit: { after: false },
            authorization_code_id: { after: codeId },
          },
        },
      ]);
    });

    it('records an anonymous actor in the organization of the code where the operation needs no credential (200)', async () => {
      const variables = { ANONYMOUS_OPERATIONS: 'exchangeAuthCodeForAPIKey' };
      const open = await TestApplication.start({ database: app.database, variables });
      const request = await newChallengedCode(app, organization.managementKey);
      const { body } = await open.api.post<ExchangeAuthCodeResponse>('/auth/keys', { json: request });
      await open.stop();

      expect(await events(body.key)).toMatchObject([{ action: 'key.create', actor_kind: 'anonymous', actor_id: null }]);
      const rows = await app.rows('SELECT organization_id FROM audit_events WHERE target_id = $1', [sha256(body.key)]);
      expect(rows).toEqual([{ organization_id: organization.organizationId }]);
    });

    it('records once that a replay (403) disabled the key', async () => {
      const code = await newCode(app, organization.managementKey);
      const { key: made } = await exchanged({ code });
      const caller = await app.factory.key(organization);

      for (let replay = 0; replay < 3; replay += 1) {
        const refusal = { credential: caller.plaintext, userId: organization.userId };
        await expectRefused({ code }, INVALID_CODE, refusal);
      }

      expect((await events(made)).slice(1)).toEqual([
        {
          action: 'key.disable',
          target_type: 'key',
          target_id: sha256(made),
          actor_kind: 'api_key',
          actor_id: organization.userId,
          changes: { disabled: { before: false, after: true } },
        },
      ]);
    });

    it('records nothing for an exchange that is answered 400', async () => {
      const request = await newChallengedCode(app, organization.managementKey);
      const before = await app.rows('SELECT id FROM audit_events');

      await expectRefused({ code: request.code }, mismatch('code_verifier'));

      expect(await app.rows('SELECT id FROM audit_events')).toEqual(before);
    });
  });

  describe('exchanges at the same time', () => {
    const attemptsAtOnce = (request: object): Promise<Answer<ExchangeAuthCodeResponse>[]> =>
      Promise.all([app, replica, app, replica].map((server) => exchange(request, organization.managementKey, server)));

    it('of one code, on two replicas, are answered 200 once', async () => {
      for (let round = 0; round < 10; round += 1) {
        const request = await newChallengedCode(app, organization.managementKey);
        const before = await countKeys();

        const answers = await attemptsAtOnce(request);

        const successes = answers.filter(({ status }) => status === 200);
        expect(successes).toHaveLength(1);
        for (const refused of answers.filter(({ status }) => status !== 200)) {
          expectRefusal(refused, { ...INVALID_CODE, userId: organization.userId });
        }
        expect(await countKeys()).toBe(before + 1);
        expect(await statusWith(successes[0]!.body.key)).toBe(200);
      }
    });

    it('of one code without a challenge are answered 200 once, and 403 with the key disabled', async () => {
      const code = await newCode(app, organization.managementKey);
      const before = await countKeys();

      const answers = await attemptsAtOnce({ code });

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
      expect(await countKeys()).toBe(before + 1);
      expect(await keyRow(answers.find(({ status }) => status === 200)!.body.key)).toMatchObject({ disabled: true });
    });

    it('of different codes do not block each other: 200', async () => {
      const requests = await Promise.all(
        Array.from({ length: 20 }, () => newChallengedCode(app, organization.managementKey)),
      );

      const answers = await Promise.all(
        requests.map((request, index) =>
          exchange(request, organization.managementKey, index % 2 === 0 ? app : replica),
        ),
      );

      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map(({ body }) => body.key)).size).toBe(20);
    });
  });

  describe('a faulty exchange', () => {
    it.each([
      ['no code', {}, 'code'],
      ['a code of null', { code: null }, 'code'],
      ['a code of a number', { code: 1 }, 'code'],
      ['an empty code', { code: '' }, 'code'],
      ['a code with NUL', { code: 'a\u0000' }, 'code'],
      ['a code with a lone surrogate', { code: '\ud800' }, 'code'],
      ['a verifier of null', { code: 'x', code_verifier: null }, 'code_verifier'],
      ['a verifier of a list', { code: 'x', code_verifier: [] }, 'code_verifier'],
      ['a verifier with NUL', { code: 'x', code_verifier: '\u0000' }, 'code_verifier'],
      ['another method', { code: 'x', code_challenge_method: 'S512' }, 'code_challenge_method'],
      ['an empty method', { code: 'x', code_challenge_method: '' }, 'code_challenge_method'],
      ['a method of a number', { code: 'x', code_challenge_method: 256 }, 'code_challenge_method'],
    ])('is answered 400 for %s', async (_, json, path) => {
      const answer = await exchange(json);

      expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths: [path], userId: organization.userId });
    });

    it('is answered 400 with all issues at once', async () => {
      const json = { code_verifier: 1, code_challenge_method: 'x', redirect_uri: 'https://app.example.com/' };

      expectRefusal(await exchange(json), {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['code', 'code_verifier', 'code_challenge_method', 'redirect_uri'],
        userId: organization.userId,
      });
    });

    it.each(malformedBodies({ code: 'x' }))('is answered 400, 413 or 415 for %s', async (_, request, refusal) => {
      const answer = await app.api.post<ErrorBody>('/auth/keys', { key: organization.managementKey, ...request });

      expectRefusal(answer, { ...refusal, userId: organization.userId });
    });
  });

  it('answers 200 and stores code and key nowhere, neither in the database nor in the log', async () => {
    const request = await newChallengedCode(app, organization.managementKey);
    const refusedCode = await newCode(app, organization.managementKey);
    await expectRefused({ code: refusedCode, code_verifier: request.code_verifier }, mismatch('code_verifier'));
    const { key: made } = await exchanged(request);
    await expectRefused(request, INVALID_CODE);
    await app.api.delete(`/keys/${made}`, { key: organization.managementKey });
    await app.api.get(`/model/${made}/${request.code}`, { key: organization.managementKey });
    await app.api.get(`/model/a/b?key=${made}`, { key: organization.managementKey });
    const secrets = [made, request.code, refusedCode, request.code_verifier, organization.managementKey];
    const texts = await storedText(app);
    const logs = [...app.logLines, ...replica.logLines].join('');

    expect(texts.get('api_keys')).toContain(sha256(made));
    expect(texts.get('authorization_codes')).toContain(sha256(request.code));
    expect(logs).toContain('"path":"/api/v1/auth/keys"');
    for (const secret of secrets) {
      for (const text of texts.values()) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(secret).toString('hex'));
      }
      expect(logs).not.toContain(secret);
      // Not its random part either.
      expect(logs).not.toContain(secret.slice(-40));
    }
  });
});

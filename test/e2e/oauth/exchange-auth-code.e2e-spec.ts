import type { ErrorBody } from '../../support/network/api-client.js';
import { newChallengedCode, newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { labelOf } from '../../support/resources/keys.js';
import { someMalformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { storedText } from '../../support/database/stored-text.js';
import { UUID_V7 } from '../../support/expectations/formats.js';
import { authCodeExchange, mismatch, INVALID_CODE } from './auth-code-exchange.js';

describe('exchangeAuthCodeForAPIKey', () => {
  const { app, replica, organization, exchange, exchanged, keyRow, codeRow, statusWith, expectRefused } =
    authCodeExchange();

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
        follows_owner_role: true,
        scopes: null,
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
        suspension_causes: [],
        allowed_addresses: null,
        labels: null,
        bound_user: null,
        limit_usd: null,
        limit_reset: null,
        include_byok_in_limit: false,
        requests_per_minute: null,
        tokens_per_minute: null,
        expires_at: null,
        external_user: null,
        external_api_key_hash: null,
        updated_at: null,
        version: 1,
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

    it('belongs to whichever client with the callback URL exchanges the code first, and is refused to the others with 403', async () => {
      const url = 'https://shared-callback.example.com/done';
      const first = await app.factory.client(organization, [url]);
      const second = await app.factory.client(organization, [url]);
      const code = await newCode(app, organization.managementKey, { callback_url: url });
      const { key: made } = await exchanged({ code }, second.plaintext);

      expect((await keyRow(made))['connect_client_id']).toBe(second.id);
      expect((await exchange({ code }, first.plaintext)).status).toBe(403);
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

    it.each(someMalformedBodies({ code: 'x' }))('is answered 400, 413 or 415 for %s', async (_, request, refusal) => {
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

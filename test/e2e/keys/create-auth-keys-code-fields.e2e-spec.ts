import type { Answer } from '../../support/network/api-client.js';
import { CALLBACK_URL, newCode } from '../../support/resources/authorization-codes.js';
import { someMalformedBodies } from '../../support/requests/malformed-bodies.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { authCodeCreation, CHALLENGE, ASTRAL } from '../oauth/auth-code-creation.js';

describe('createAuthKeysCode', () => {
  const { app, organization, row, expectNothingStored, expectRefused } = authCodeCreation();

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

    it.each(someMalformedBodies({ callback_url: CALLBACK_URL }))(
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

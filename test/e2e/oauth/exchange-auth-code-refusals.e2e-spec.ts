import type { ExchangeAuthCodeResponse } from '../../../src/modules/oauth/codes/authorization-code.dto.js';
import { newOrganizationId } from '../../../src/persistence/identifiers.js';
import { issueSecret } from '../../../src/modules/keys/credentials/key-format.js';
import type { Answer } from '../../support/network/api-client.js';
import { newChallengedCode, newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { authCodeExchange, INVALID_CODE, type Caller } from './auth-code-exchange.js';

const EXPIRED_CODE = { status: 403, reason: 'authorization_code_expired' };

describe('exchangeAuthCodeForAPIKey', () => {
  const { app, replica, organization, exchange, exchanged, keyRow, codeRow, countKeys, statusWith, expectRefused } =
    authCodeExchange();

  /** Moves the end of a code's time. */
  const setExpiry = (code: string, fromNow: string): Promise<unknown> =>
    app.rows('UPDATE authorization_codes SET expires_at = now() + $2::interval WHERE code_hash = $1', [
      Buffer.from(sha256(code), 'hex'),
      fromNow,
    ]);

  describe('a code', () => {
    it('is answered 403 when it was never issued', async () => {
      await expectRefused({ code: issueSecret('authorization_code', newOrganizationId()).plaintext }, INVALID_CODE);
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
      const unknown = { ...request, code: issueSecret('authorization_code', newOrganizationId()).plaintext };
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
});

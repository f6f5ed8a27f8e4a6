import type { CredentialKind } from '../../../src/auth/principal.js';
import { readEnvironment } from '../../../src/config/environment.js';
import type { ExchangeAuthCodeResponse } from '../../../src/modules/keys/oauth/authorization-code.dto.js';
import { issueAuthorizationCode, issueCredential } from '../../../src/modules/keys/credentials/key-format.js';
import { newOrganizationId } from '../../../src/persistence/identifiers.js';
import { type SuccessfulRequest, successfulRequest } from '../../operations/complete-organization.js';
import { OPERATION_IDS, OPERATIONS } from '../../operations/operations.js';
import { sampleOrganization } from '../../operations/sample-organization.js';
import type { Answer } from '../../support/network/api-client.js';
import { newChallengedCode, newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { sendRawRequest } from '../../support/network/raw-request.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { type TestApplication } from '../../support/application/test-application.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';

const KINDS: readonly CredentialKind[] = ['management_key', 'api_key', 'client_secret'];

const ANONYMOUS_OPERATIONS = ['exchangeAuthCodeForAPIKey', 'listImageModels', 'getModel'] as const;

describe('authentication', () => {
  const app = sharedApplication();
  const organization = filledBefore(beforeAll, () => sampleOrganization(app));
  const member = filledBefore(beforeAll, async () => ({ id: await app.factory.member(organization.organizationId) }));
  const credentials: Record<CredentialKind, string> = filledBefore(beforeAll, async () => ({
    management_key: organization.managementKey,
    api_key: (await app.factory.key(organization, { userId: member.id })).plaintext,
    client_secret: organization.clientSecret,
  }));
  /** A request for every operation that is never answered with success, and so can be sent again and again. */
  const refusable = new Map<string, SuccessfulRequest>();

  beforeAll(async () => {
    for (const name of OPERATION_IDS) refusable.set(name, await successfulRequest(organization, name));
  });

  /** The user that a credential of the organization belongs to. */
  const userOf = (kind: CredentialKind): { userId?: string } => {
    if (kind === 'client_secret') return {};
    return { userId: kind === 'api_key' ? member.id : organization.userId };
  };

  /** Sends a request that would succeed with a credential that the operation takes. */
  const send = async (name: string, key: string | undefined, { api } = app): Promise<Answer> => {
    // A key for inference sees what was done with itself.
    const apiKey = key === credentials.api_key ? key : organization.apiKey;
    const { method, path, json } = await successfulRequest({ ...organization, apiKey }, name);
    return api.send(method, path, { json, ...(key !== undefined && { key }) });
  };

  /** Sends one that has to be refused. */
  const sendRefusable = async (name: string, key: string | undefined, { api } = app): Promise<Answer> => {
    const { method, path, json } = refusable.get(name)!;
    return api.send(method, path, { json, ...(key !== undefined && { key }) });
  };

  /** Sends exactly these headers; names and values in turn. */
  const sendHeaders = async (name: string, headers: readonly string[], { origin } = app): Promise<Answer> => {
    const { method, path } = refusable.get(name)!;
    return sendRawRequest(method, `${origin}${app.environment.apiBasePath}${path}`, headers);
  };

  const takes = (name: string, kind: CredentialKind): boolean => OPERATIONS[name]!.callers.includes(kind);

  const statusFor = (name: string, kind: CredentialKind): number =>
    takes(name, kind) ? OPERATIONS[name]!.success : 403;

  const expectUnauthorized = (answer: Answer, reason: string): void => {
    expectRefusal(answer, { status: 401, reason });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  };

  describe('by kind of credential', () => {
    const table = OPERATION_IDS.flatMap((name) => KINDS.map((kind) => [name, kind] as const));

    it.each(table.filter(([name, kind]) => takes(name, kind)))('%s answers 200 or 201 to a %s', async (name, kind) => {
      expect((await send(name, credentials[kind])).status).toBe(statusFor(name, kind));
    });

    it.each(table.filter(([name, kind]) => !takes(name, kind)))('%s answers 403 to a %s', async (name, kind) => {
      const answer = await sendRefusable(name, credentials[kind]);

      const message = takes(name, 'management_key') ? {} : { message: 'Only API keys can perform this operation' };
      expectRefusal(answer, { status: 403, reason: 'credential_kind_not_allowed', ...userOf(kind), ...message });
      expect(answer.headers.get('www-authenticate')).toBeNull();
      expectToFitContract(name, 403, answer.body);
    });
  });

  describe('answers 401 by every operation to', () => {
    const malformed: [name: string, headers: () => string[]][] = [
      ['"Bearer"', () => ['Authorization', 'Bearer']],
      ['"Bearer "', () => ['Authorization', 'Bearer ']],
      ['"Bearer  x"', () => ['Authorization', 'Bearer  x']],
      ['"Basic x"', () => ['Authorization', 'Basic x']],
      ['an empty header', () => ['Authorization', '']],
      ['a credential without a scheme', () => ['Authorization', credentials.management_key]],
      ['a credential of another scheme', () => ['Authorization', `Token ${credentials.management_key}`]],
      ['two spaces before a credential', () => ['Authorization', `Bearer  ${credentials.management_key}`]],
      ['a tab before a credential', () => ['Authorization', `Bearer\t${credentials.management_key}`]],
      ['something behind a credential', () => ['Authorization', `Bearer ${credentials.management_key} x`]],
      ['two credentials', () => ['Authorization', `Bearer ${credentials.management_key}, ${credentials.api_key}`]],
      ['a quoted credential', () => ['Authorization', `Bearer "${credentials.management_key}"`]],
      [
        'two headers',
        () => [
          'Authorization',
          `Bearer ${credentials.management_key}`,
          'Authorization',
          `Bearer ${credentials.api_key}`,
        ],
      ],
      [
        'two headers with one credential',
        () => ['Authorization', `Bearer ${credentials.api_key}`, 'authorization', `Bearer ${credentials.api_key}`],
      ],
      [
        'a second header of another scheme',
        () => ['Authorization', `Bearer ${credentials.api_key}`, 'AUTHORIZATION', 'Basic x'],
      ],
      ['a second, empty header', () => ['Authorization', `Bearer ${credentials.api_key}`, 'Authorization', '']],
    ];

    const unaccepted: [name: string, credential: () => Promise<string> | string][] = [
      ['another word', () => 'x'],
      [
        'the example of the documentation',
        () => `sk-gate-v2-031f7GbuPo0GnCsEhZdbqU-${'0123456789abcdef'.repeat(4)}01234567`,
      ],
      ['an unknown management key', () => issueCredential('management_key', newOrganizationId()).plaintext],
      ['an unknown API key', () => issueCredential('api_key', newOrganizationId()).plaintext],
      [
        'an unknown API key of the organization',
        () => issueCredential('api_key', organization.organizationId).plaintext,
      ],
      ['an unknown client secret', () => issueCredential('client_secret', newOrganizationId()).plaintext],
      ['a management key with a slip in it', () => withSlip(credentials.management_key)],
      ['an API key with a slip in it', () => withSlip(credentials.api_key)],
      ['a client secret with a slip in it', () => withSlip(credentials.client_secret)],
      ['the hash of a management key', () => sha256(credentials.management_key)],
      ['a key in capitals', () => credentials.management_key.toUpperCase()],
      ['a key that is cut off', () => credentials.management_key.slice(0, -1)],
      ['a key with a digit more', () => `${credentials.management_key}0`],
      ['a key of another kind', () => credentials.api_key.replace('sk-', 'mk-')],
      ['an authorization code', () => newCode(app, organization.managementKey)],
      ['an unknown authorization code', () => issueAuthorizationCode(newOrganizationId()).plaintext],
      ['a very long credential', () => `mk-gate-v2-${'0'.repeat(8_000)}`],
    ];

    /** What makes a credential unacceptable after the fact. */
    const revocations: [name: string, reason: string, statement: string][] = [
      ['disabled', 'credential_disabled', 'UPDATE api_keys SET disabled = true WHERE id = $1'],
      ['expired', 'credential_expired', 'UPDATE api_keys SET expires_at = now() WHERE id = $1'],
      [
        'disabled and expired',
        'credential_disabled',
        'UPDATE api_keys SET disabled = true, expires_at = now() WHERE id = $1',
      ],
      ['deleted', 'invalid_credential', 'DELETE FROM api_keys WHERE id = $1'],
    ];

    it.each(OPERATION_IDS)('a missing Authorization header: %s', async (name) => {
      const answer = await sendRefusable(name, undefined);

      expectUnauthorized(answer, 'missing_credential');
      expectToFitContract(name, 401, answer.body);
    });

    it.each(malformed)('%s', async (_, headers) => {
      for (const name of OPERATION_IDS) expectUnauthorized(await sendHeaders(name, headers()), 'malformed_credential');
    });

    it.each(unaccepted)('%s', async (_, credential) => {
      for (const name of OPERATION_IDS)
        expectUnauthorized(await sendRefusable(name, await credential()), 'invalid_credential');
    });

    it.each(revocations)('a key that is %s, which was answered 200 before', async (_, reason, statement) => {
      for (const kind of ['management_key', 'api_key'] as const) {
        const { id, plaintext } = await app.factory.key(organization, { kind });
        expect((await send('listImageModels', plaintext)).status).toBe(200);
        await app.rows(statement, [id]);
        for (const name of OPERATION_IDS) expectUnauthorized(await sendRefusable(name, plaintext), reason);
      }
    });

    it('the secret of a deleted client, which was answered 200 before', async () => {
      const { id, plaintext } = await app.factory.client(organization);
      expect((await send('exchangeAuthCodeForAPIKey', plaintext)).status).toBe(200);
      await app.rows('DELETE FROM connect_clients WHERE id = $1', [id]);

      for (const name of OPERATION_IDS) expectUnauthorized(await sendRefusable(name, plaintext), 'invalid_credential');
    });

    it('the key of a user who has left the organization, which was answered 200 before', async () => {
      const userId = await app.factory.member(organization.organizationId);
      const { plaintext } = await app.factory.key(organization, { userId });
      expect((await send('listImageModels', plaintext)).status).toBe(200);
      await app.rows('DELETE FROM organization_members WHERE user_id = $1', [userId]);

      for (const name of OPERATION_IDS) expectUnauthorized(await sendRefusable(name, plaintext), 'invalid_credential');
    });
  });

  describe('answers 200 to', () => {
    it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme %s', async (scheme) => {
      const headers = ['authorization', `${scheme} ${credentials.management_key}`];

      expect((await sendHeaders('listGuardrails', headers)).status).toBe(200);
    });

    it('a key that expires later', async () => {
      const { plaintext } = await app.factory.key(organization, { expiresAt: new Date(Date.now() + 3_600_000) });

      expect((await send('listImageModels', plaintext)).status).toBe(200);
    });
  });

  describe('comes before all other checks:', () => {
    it('answers 403 ahead of 400 for a faulty request', async () => {
      const request = { raw: '{', headers: { 'content-type': 'text/plain' } };

      expectUnauthorized(await app.api.post('/guardrails?x=1', request), 'missing_credential');
      expectUnauthorized(await app.api.post('/guardrails?x=1', { ...request, key: 'x' }), 'invalid_credential');
      expectRefusal(await app.api.post('/guardrails?x=1', { ...request, key: credentials.api_key }), {
        status: 403,
        reason: 'credential_kind_not_allowed',
        ...userOf('api_key'),
      });
    });

    it('answers 403 ahead of 404 for a missing object', async () => {
      const paths = ['/model/nobody/nothing', `/workspaces/nowhere/members`, '/observability/destinations/x'];

      for (const path of paths) {
        expectUnauthorized(await app.api.get(path), 'missing_credential');
        expectRefusal(await app.api.get(path, { key: credentials.client_secret }), {
          status: 403,
          reason: 'credential_kind_not_allowed',
        });
      }
    });

    it('names the user of the credential in every 400 and 404 that follows', async () => {
      const key = credentials.api_key;

      expectRefusal(await app.api.get('/model/nobody/nothing', { key }), {
        status: 404,
        reason: 'model_not_found',
        ...userOf('api_key'),
      });
      expectRefusal(await app.api.get('/presets/NOT-A-SLUG/versions', { key }), {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['slug'],
        ...userOf('api_key'),
      });
      expectRefusal(await app.api.delete('/keys/x', { key: credentials.client_secret }), {
        status: 404,
        reason: 'key_not_found',
      });
    });
  });

  describe('with ANONYMOUS_OPERATIONS', () => {
    const opening = (...names: string[]): Promise<TestApplication> =>
      app.replica({ ANONYMOUS_OPERATIONS: names.join(',') });

    const isAnonymous = (name: string): boolean => (ANONYMOUS_OPERATIONS as readonly string[]).includes(name);

    it('answers 200 without a credential to exactly the three operations', async () => {
      const open = await opening(...ANONYMOUS_OPERATIONS);

      for (const name of OPERATION_IDS) {
        if (isAnonymous(name)) expect([name, (await send(name, undefined, open)).status]).toEqual([name, 200]);
        else expectUnauthorized(await sendRefusable(name, undefined, open), 'missing_credential');
      }
    });

    it.each(ANONYMOUS_OPERATIONS)('answers 200 without a credential to %s alone', async (opened) => {
      const open = await opening(opened);

      for (const name of OPERATION_IDS) {
        if (name === opened) expect((await send(name, undefined, open)).status).toBe(200);
        else expectUnauthorized(await sendRefusable(name, undefined, open), 'missing_credential');
      }
    });

    it('answers 401 to an invalid credential all the same', async () => {
      const open = await opening(...ANONYMOUS_OPERATIONS);
      const disabled = await app.factory.key(organization);
      await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [disabled.id]);

      for (const name of ANONYMOUS_OPERATIONS) {
        expectUnauthorized(
          await sendRefusable(name, issueCredential('api_key', newOrganizationId()).plaintext, open),
          'invalid_credential',
        );
        expectUnauthorized(await sendRefusable(name, withSlip(credentials.api_key), open), 'invalid_credential');
        expectUnauthorized(await sendRefusable(name, disabled.plaintext, open), 'credential_disabled');
        for (const value of ['', 'Bearer', 'Bearer ', 'Bearer  x', 'Basic x']) {
          expectUnauthorized(await sendHeaders(name, ['Authorization', value], open), 'malformed_credential');
        }
        const twice = ['Authorization', `Bearer ${credentials.api_key}`];
        expectUnauthorized(await sendHeaders(name, [...twice, ...twice], open), 'malformed_credential');
      }
    });

    it('answers 403 to a credential of a kind that the operation does not accept', async () => {
      const open = await opening(...ANONYMOUS_OPERATIONS);

      for (const name of ANONYMOUS_OPERATIONS) {
        for (const kind of KINDS) {
          const { status } = await send(name, credentials[kind], open);
          expect([name, kind, status]).toEqual([name, kind, statusFor(name, kind)]);
        }
      }
    });

    it('exchanges codes without a client (200) for keys without a client, and answers 403 for codes of a client', async () => {
      const open = await opening('exchangeAuthCodeForAPIKey');
      const url = 'https://client.example.com/callback';
      await app.factory.client(organization, [url]);
      const bound = await newChallengedCode(app, organization.managementKey, { callback_url: url });
      const free = await newChallengedCode(app, organization.managementKey);

      const refused = await open.api.post('/auth/keys', { json: bound });
      const { status, body } = await open.api.post<ExchangeAuthCodeResponse>('/auth/keys', { json: free });

      expectRefusal(refused, { status: 403, reason: 'invalid_authorization_code' });
      expect(status).toBe(200);
      expect(body.user_id).toBe(organization.userId);
      expect(
        await app.rows('SELECT organization_id, user_id, kind, connect_client_id FROM api_keys WHERE hash = $1', [
          Buffer.from(sha256(body.key), 'hex'),
        ]),
      ).toEqual([
        {
          organization_id: organization.organizationId,
          user_id: organization.userId,
          kind: 'api_key',
          connect_client_id: null,
        },
      ]);
    });

    it('names no user in the 400 and 404 of a request without a credential', async () => {
      const open = await opening(...ANONYMOUS_OPERATIONS);

      expectRefusal(await open.api.get('/model/nobody/nothing'), { status: 404, reason: 'model_not_found' });
      expectRefusal(await open.api.post('/auth/keys', { json: {} }), {
        status: 400,
        reason: 'invalid_parameters',
        paths: ['code'],
      });
    });

    it.each(['createGuardrail', 'deleteKeys', 'exchangeAuthCode', 'getModel,listGuardrails', '*', 'GETMODEL'])(
      'does not accept %s',
      (names) => {
        expect(() => readEnvironment({ ANONYMOUS_OPERATIONS: names }, ANONYMOUS_OPERATIONS)).toThrow(
          /ANONYMOUS_OPERATIONS/,
        );
      },
    );
  });
});

/** The credential with one digit of its random part changed, so that its checksum does not fit. */
function withSlip(credential: string): string {
  const index = 20;
  const digit = credential[index] === '0' ? '1' : '0';
  return `${credential.slice(0, index)}${digit}${credential.slice(index + 1)}`;
}

import type { CredentialKind } from '../../../src/auth/principal.js';
import { issueSecret } from '../../../src/modules/keys/credentials/key-format.js';
import { newOrganizationId } from '../../../src/persistence/identifiers.js';
import { OPERATION_IDS, OPERATIONS } from '../../operations/operations.js';
import { newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { authenticatedRequests, KINDS, withSlip } from './authenticated-requests.js';

/**
 * An operation for each set of credentials that operations take, and each form of errors: one guard reads the header for all operations, and
 * all of them are asked without one and with an unknown one.
 */
const ONE_OF_EACH: readonly string[] = [
  ...new Map(OPERATION_IDS.map((name) => [OPERATIONS[name]!.callers.join(), name])).values(),
  'createMessages',
  'createResponses',
];

describe('authentication', () => {
  const {
    app,
    organization,
    member,
    credentials,
    send,
    acceptedOf,
    sendRefusable,
    sendHeaders,
    takes,
    statusFor,
    expectUnauthorized,
  } = authenticatedRequests();

  /** The user that a credential of the organization belongs to. */
  const userOf = (kind: CredentialKind): { userId?: string } => {
    if (kind === 'client_secret' || kind === 'provisioning_token') return {};
    return { userId: kind === 'api_key' ? member.id : organization.userId };
  };

  describe('by kind of credential', () => {
    const table = OPERATION_IDS.flatMap((name) => KINDS.map((kind) => [name, kind] as const));

    it.each(table.filter(([name, kind]) => takes(name, kind)))('%s answers 200 or 201 to a %s', async (name, kind) => {
      expect((await send(name, acceptedOf(name, kind))).status).toBe(statusFor(name, kind));
    });

    /** The provisioning token is of another organization, to which there are no operations of the operator. */
    const isThere = (name: string, kind: CredentialKind): boolean =>
      kind !== 'provisioning_token' || OPERATIONS[name]!.permission?.startsWith('providers_') !== true;

    const refused = table.filter(([name, kind]) => !takes(name, kind) && isThere(name, kind));

    it.each(refused)('%s answers 403 to a %s', async (name, kind) => {
      const answer = await sendRefusable(name, credentials[kind]);

      const message = takes(name, 'management_key') ? {} : { message: 'Only API keys can perform this operation' };
      expectRefusal(answer, {
        status: 403,
        reason: 'credential_kind_not_allowed',
        operationId: name,
        ...userOf(kind),
        ...message,
      });
      expect(answer.headers.get('www-authenticate')).toBeNull();
      expectToFitContract(name, 403, answer.body);
    });
  });

  it.each(['Bearer    ', '  bEARER '])(
    'answers 200 to a credential behind "%s", as RFC 9110 allows it',
    async (before) => {
      const answer = await sendHeaders('listImageModels', ['Authorization', `${before}${credentials.api_key}  \t`]);
      expect(answer.status).toBe(200);
    },
  );

  describe('answers 401 to', () => {
    const malformed: [name: string, headers: () => string[]][] = [
      ['"Bearer"', () => ['Authorization', 'Bearer']],
      ['"Bearer "', () => ['Authorization', 'Bearer ']],
      ['"Basic x"', () => ['Authorization', 'Basic x']],
      ['a credential without a scheme', () => ['Authorization', credentials.management_key]],
      ['a credential of another scheme', () => ['Authorization', `Token ${credentials.management_key}`]],
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
      ['an unknown management key', () => issueSecret('management_key', newOrganizationId()).plaintext],
      ['an unknown API key', () => issueSecret('api_key', newOrganizationId()).plaintext],
      ['an unknown API key of the organization', () => issueSecret('api_key', organization.organizationId).plaintext],
      ['an unknown client secret', () => issueSecret('client_secret', newOrganizationId()).plaintext],
      ['a management key with a slip in it', () => withSlip(credentials.management_key)],
      ['an API key with a slip in it', () => withSlip(credentials.api_key)],
      ['a client secret with a slip in it', () => withSlip(credentials.client_secret)],
      ['the hash of a management key', () => sha256(credentials.management_key)],
      ['a key in capitals', () => credentials.management_key.toUpperCase()],
      ['a key that is cut off', () => credentials.management_key.slice(0, -1)],
      ['a key with a digit more', () => `${credentials.management_key}0`],
      ['a key of another kind', () => credentials.api_key.replace('sk-', 'mk-')],
      ['an authorization code', () => newCode(app, organization.managementKey)],
      ['an unknown authorization code', () => issueSecret('authorization_code', newOrganizationId()).plaintext],
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

    it.each(OPERATION_IDS)('a missing Authorization header by %s', async (name) => {
      const answer = await sendRefusable(name, undefined);

      expectUnauthorized(answer, 'missing_credential', name);
      expectToFitContract(name, 401, answer.body);
    });

    it.each(malformed)('%s', async (_, headers) => {
      for (const name of ONE_OF_EACH)
        expectUnauthorized(await sendHeaders(name, headers()), 'malformed_credential', name);
    });

    it('an unknown credential by every operation', async () => {
      const { plaintext } = issueSecret('api_key', newOrganizationId());
      for (const name of OPERATION_IDS)
        expectUnauthorized(await sendRefusable(name, plaintext), 'invalid_credential', name);
    });

    it.each(unaccepted)('%s', async (_, credential) => {
      for (const name of ONE_OF_EACH)
        expectUnauthorized(await sendRefusable(name, await credential()), 'invalid_credential', name);
    });

    it.each(revocations)('a key that is %s, which was answered 200 before', async (_, reason, statement) => {
      for (const kind of ['management_key', 'api_key'] as const) {
        const { id, plaintext } = await app.factory.key(organization, { kind });
        expect((await send('listImageModels', plaintext)).status).toBe(200);
        await app.rows(statement, [id]);
        for (const name of ONE_OF_EACH) expectUnauthorized(await sendRefusable(name, plaintext), reason, name);
      }
    });

    it('the secret of a deleted client, which was answered 200 before', async () => {
      const { id, plaintext } = await app.factory.client(organization);
      expect((await send('exchangeAuthCodeForAPIKey', plaintext)).status).toBe(200);
      await app.rows('DELETE FROM connect_clients WHERE id = $1', [id]);

      for (const name of ONE_OF_EACH)
        expectUnauthorized(await sendRefusable(name, plaintext), 'invalid_credential', name);
    });

    it('the key of a user who has left the organization, which was answered 200 before', async () => {
      const userId = await app.factory.member(organization.organizationId);
      const { plaintext } = await app.factory.key(organization, { userId });
      expect((await send('listImageModels', plaintext)).status).toBe(200);
      await app.rows('DELETE FROM organization_members WHERE user_id = $1', [userId]);

      for (const name of ONE_OF_EACH)
        expectUnauthorized(await sendRefusable(name, plaintext), 'invalid_credential', name);
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
});

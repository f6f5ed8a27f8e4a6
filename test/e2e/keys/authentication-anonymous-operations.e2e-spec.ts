import { readEnvironment } from '../../../src/config/environment.js';
import type { ExchangeAuthCodeResponse } from '../../../src/modules/oauth/codes/authorization-code.dto.js';
import { issueSecret } from '../../../src/modules/keys/credentials/key-format.js';
import { newOrganizationId } from '../../../src/persistence/identifiers.js';
import { OPERATION_IDS } from '../../operations/operations.js';
import { newChallengedCode, sha256 } from '../../support/resources/authorization-codes.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { type TestApplication } from '../../support/application/test-application.js';
import { sharedReplica } from '../../support/application/shared-application.js';
import { makeOperator } from '../../support/resources/provider-connections.js';
import { authenticatedRequests, withSlip, KINDS } from './authenticated-requests.js';

const ANONYMOUS_OPERATIONS = [
  'exchangeAuthCodeForAPIKey',
  'listImageModels',
  'getModel',
  'getModels',
  'listEndpoints',
] as const;

describe('authentication', () => {
  const { app, organization, credentials, send, sendRefusable, sendHeaders, statusFor, expectUnauthorized } =
    authenticatedRequests();

  describe('with ANONYMOUS_OPERATIONS', () => {
    const opening = (name: string): Promise<TestApplication> => app.replica({ ANONYMOUS_OPERATIONS: name });

    const open = sharedReplica(app, { ANONYMOUS_OPERATIONS: ANONYMOUS_OPERATIONS.join(',') });

    const isAnonymous = (name: string): boolean => (ANONYMOUS_OPERATIONS as readonly string[]).includes(name);

    it('answers 200 without a credential to exactly the five operations', async () => {
      makeOperator(open, organization);
      for (const name of OPERATION_IDS) {
        if (isAnonymous(name)) expect([name, (await send(name, undefined, open)).status]).toEqual([name, 200]);
        else expectUnauthorized(await sendRefusable(name, undefined, open), 'missing_credential', name);
      }
    });

    it.each(ANONYMOUS_OPERATIONS)('answers 200 without a credential to %s alone', async (opened) => {
      const open = await opening(opened);

      for (const name of [...ANONYMOUS_OPERATIONS, 'listGuardrails', 'sendChatCompletionRequest']) {
        if (name === opened) expect((await send(name, undefined, open)).status).toBe(200);
        else expectUnauthorized(await sendRefusable(name, undefined, open), 'missing_credential', name);
      }
    });

    it('answers 200 to an Authorization header without a value, and 401 elsewhere', async () => {
      for (const name of ['getModels', 'listEndpoints']) {
        expect((await sendHeaders(name, ['Authorization', ''], open)).status).toBe(200);
      }
      expectUnauthorized(await sendHeaders('listGuardrails', ['Authorization', ''], open), 'missing_credential');
    });

    it('answers 401 to an invalid credential all the same', async () => {
      const disabled = await app.factory.key(organization);
      await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [disabled.id]);

      for (const name of ANONYMOUS_OPERATIONS) {
        expectUnauthorized(
          await sendRefusable(name, issueSecret('api_key', newOrganizationId()).plaintext, open),
          'invalid_credential',
        );
        expectUnauthorized(await sendRefusable(name, withSlip(credentials.api_key), open), 'invalid_credential', name);
        expectUnauthorized(await sendRefusable(name, disabled.plaintext, open), 'credential_disabled', name);
        for (const value of ['Bearer', 'Bearer ', 'Bearer x y', 'Basic x']) {
          expectUnauthorized(await sendHeaders(name, ['Authorization', value], open), 'malformed_credential', name);
        }
        const twice = ['Authorization', `Bearer ${credentials.api_key}`];
        expectUnauthorized(await sendHeaders(name, [...twice, ...twice], open), 'malformed_credential', name);
      }
    });

    it('answers 403 to a credential of a kind that the operation does not accept', async () => {
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

import type { CredentialKind } from '../../src/auth/principal.js';
import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import { issueCredential } from '../../src/modules/keys/key-format.js';
import type { Answer, RequestOptions } from './api-client.js';
import { expectToFitContract } from './contract.js';
import { sendRawRequest } from './raw-request.js';
import { expectRefusal } from './refusal.js';
import type { TestApplication } from './test-application.js';

/** A request that would succeed with the right credential. */
export interface CallableOperation {
  readonly app: TestApplication;
  readonly organization: NewOrganization;
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly json?: unknown;
}

const KINDS: readonly CredentialKind[] = ['management_key', 'api_key', 'client_secret'];

/**
 * The tests of who may call an operation (SERVICE.md, section 5; DECISIONS.md, section 3).
 *
 * @param allowed the kinds of credential that it takes
 * @param operation gives a request that was not made before, once the application runs
 */
export function describeWhoMayCall(
  allowed: readonly CredentialKind[],
  operation: () => CallableOperation | Promise<CallableOperation>,
): void {
  describe('who may call it', () => {
    const send = async (options: RequestOptions): Promise<Answer> => {
      const { app, method, path, json } = await operation();
      return app.api.send(method, path, { json, ...options });
    };

    const credentials = async (): Promise<Record<CredentialKind, string>> => {
      const { app, organization } = await operation();
      return {
        management_key: organization.managementKey,
        api_key: (await app.factory.key(organization)).plaintext,
        client_secret: (await app.factory.client(organization)).plaintext,
      };
    };

    const refuses = async (key: string | undefined, reason: string): Promise<void> => {
      const answer = await send(key === undefined ? {} : { key });
      expectRefusal(answer, { status: 401, reason });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expectToFitContract((await operation()).operationId, 401, answer.body);
    };

    it('takes no request without a credential', () => refuses(undefined, 'missing_credential'));

    it.each(['Bearer', 'Bearer ', 'Bearer  x', 'Basic x', 'x', 'Bearer x y', 'Bearer x,y'])(
      'takes no request with "Authorization: %s"',
      async (authorization) => {
        const answer = await send({ headers: { authorization } });
        expectRefusal(answer, { status: 401, reason: 'malformed_credential' });
      },
    );

    it('takes no request with two Authorization headers, though each were valid', async () => {
      const { app, method, path, organization } = await operation();
      const header = ['Authorization', `Bearer ${organization.managementKey}`];
      const answer = await sendRawRequest(method, `${app.origin}${app.environment.apiBasePath}${path}`, [
        ...header,
        ...header,
      ]);
      expectRefusal(answer, { status: 401, reason: 'malformed_credential' });
    });

    it.each(KINDS)('takes no %s that there is not, nor one with a slip in it', async (kind) => {
      await refuses(issueCredential(kind).plaintext, 'invalid_credential');
      const key = (await credentials())[kind];
      await refuses(
        key.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        'invalid_credential',
      );
    });

    it('takes no key that is disabled, expired or deleted', async () => {
      const { app, organization } = await operation();
      const { id, plaintext } = await app.factory.key(organization, { kind: 'management_key' });
      expect((await send({ key: plaintext })).status).toBeLessThan(300);
      await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [id]);
      await refuses(plaintext, 'credential_disabled');
      await app.rows('UPDATE api_keys SET disabled = false, expires_at = now() WHERE id = $1', [id]);
      await refuses(plaintext, 'credential_expired');
      await app.rows('DELETE FROM api_keys WHERE id = $1', [id]);
      await refuses(plaintext, 'invalid_credential');
    });

    it.each(KINDS.filter((kind) => !allowed.includes(kind)))('takes no %s', async (kind) => {
      const { organization, operationId } = await operation();
      const answer = await send({ key: (await credentials())[kind] });
      const userId = kind === 'client_secret' ? {} : { userId: organization.userId };
      expectRefusal(answer, { status: 403, reason: 'credential_kind_not_allowed', ...userId });
      expectToFitContract(operationId, 403, answer.body);
    });

    it.each(allowed)('takes a %s', async (kind) => {
      expect((await send({ key: (await credentials())[kind] })).status).toBeLessThan(300);
    });
  });
}

import { sharedApplication } from '../../support/application/shared-application.js';
import type { CredentialKind } from '../../../src/auth/principal.js';
import { type SuccessfulRequest, successfulRequest } from '../../operations/complete-organization.js';
import { acceptedKey } from '../../operations/accepted-key.js';
import { OPERATION_IDS, OPERATIONS } from '../../operations/operations.js';
import { sampleOrganization } from '../../operations/sample-organization.js';
import type { Answer } from '../../support/network/api-client.js';
import { sendRawRequest } from '../../support/network/raw-request.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { filledBefore } from '../../support/application/filled-before.js';

export const KINDS: readonly CredentialKind[] = ['management_key', 'api_key', 'client_secret', 'provisioning_token'];

/** The requests and credentials of the tests of authentication. */
export function authenticatedRequests() {
  const app = sharedApplication({ topic: 'suite' });
  const organization = filledBefore(beforeAll, () => sampleOrganization(app));

  const member = filledBefore(beforeAll, async () => ({ id: await app.factory.member(organization.organizationId) }));

  /** Its tokens stay, while requests for the organization replace its own. */
  const other = filledBefore(beforeAll, () => app.factory.organization());

  const credentials: Record<CredentialKind, string> = filledBefore(beforeAll, async () => ({
    management_key: organization.managementKey,
    api_key: (await app.factory.key(organization, { userId: member.id })).plaintext,
    client_secret: organization.clientSecret,
    provisioning_token: (await app.factory.provisioningToken(other.organizationId)).plaintext,
  }));

  /** A request for every operation that is never answered with success, and so can be sent again and again. */
  const refusable = new Map<string, SuccessfulRequest>();

  beforeAll(async () => {
    for (const name of OPERATION_IDS) refusable.set(name, await successfulRequest(organization, name));
  });

  /** Sends a request that would succeed with a credential that the operation takes. */
  const send = async (name: string, key: string | undefined, { api } = app): Promise<Answer> => {
    // A key for inference sees what was done with itself.
    const apiKey = key === credentials.api_key ? key : organization.apiKey;
    const { method, path, json } = await successfulRequest({ ...organization, apiKey }, name);
    return api.send(method, path, { json, ...(key !== undefined && { key }) });
  };

  /** A credential of a kind that an operation takes. */
  const acceptedOf = (name: string, kind: CredentialKind): string =>
    kind === 'management_key' ? acceptedKey(name, organization) : credentials[kind];

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

  const expectUnauthorized = (answer: Answer, reason: string, operationId?: string): void => {
    expectRefusal(answer, { status: 401, reason, ...(operationId !== undefined && { operationId }) });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  };

  return {
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
  };
}

/** The credential with one digit of its random part changed, so that its checksum does not fit. */
export function withSlip(credential: string): string {
  const index = 20;
  const digit = credential[index] === '0' ? '1' : '0';
  return `${credential.slice(0, index)}${digit}${credential.slice(index + 1)}`;
}

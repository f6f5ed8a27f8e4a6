import { replicaOfSuite, sharedApplication } from '../../support/application/shared-application.js';
import type { ExchangeAuthCodeResponse } from '../../../src/modules/oauth/codes/authorization-code.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { sha256 } from '../../support/resources/authorization-codes.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

export const INVALID_CODE = { status: 403, reason: 'invalid_authorization_code' };

/** What is refused because the stored challenge asks for something else. */
export const mismatch = (...paths: string[]): { status: number; reason: string; paths: string[] } => ({
  status: 400,
  reason: 'code_challenge_mismatch',
  paths,
});

/** A credential, and its user where it has one. */
export interface Caller {
  readonly credential: string;
  readonly userId?: string;
}

/** What the tests of exchangeAuthCodeForAPIKey send, and what they look at. */
export function authCodeExchange() {
  const app = sharedApplication({ topic: 'suite' });
  const replica = replicaOfSuite(app);
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

  return { app, replica, organization, exchange, exchanged, keyRow, codeRow, countKeys, statusWith, expectRefused };
}

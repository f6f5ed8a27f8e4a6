import { createHash } from 'node:crypto';
import type { CreateAuthKeysCodeResponse } from '../../../src/modules/oauth/codes/authorization-code.dto.js';
import { pkcePair } from '../application/factory.js';
import type { TestApplication } from '../application/test-application.js';

/** Where a test's user is sent back to, unless the test says otherwise. */
export const CALLBACK_URL = 'https://app.example.com/callback';

/**
 * Creates an authorization code with the operation for it.
 *
 * @param fields of the request, over and above the callback URL
 */
export async function newCode(app: TestApplication, managementKey: string, fields: object = {}): Promise<string> {
  const json = { callback_url: CALLBACK_URL, ...fields };
  const answer = await app.api.post<CreateAuthKeysCodeResponse>('/auth/keys/code', { key: managementKey, json });
  expect(answer.status).toBe(200);
  return answer.body.data.id;
}

/** A code with a challenge of the method S256, and all that its exchange takes. */
export async function newChallengedCode(
  app: TestApplication,
  managementKey: string,
  fields: object = {},
): Promise<{ code: string; code_verifier: string; code_challenge_method: 'S256' }> {
  const { verifier, challenge } = pkcePair();
  const request = { code_challenge: challenge, code_challenge_method: 'S256', ...fields };
  const code = await newCode(app, managementKey, request);
  return { code, code_verifier: verifier, code_challenge_method: 'S256' };
}

/** The SHA-256 of a secret in lowercase hex: what the database knows it by. */
export function sha256(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

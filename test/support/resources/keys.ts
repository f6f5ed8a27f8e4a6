import type { IssuedKeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { expectToFitContract } from '../contract/contract-answers.js';
import type { TestApplication } from '../application/test-application.js';

/** The fields of a key that has spent nothing. */
export const ZERO_USAGE = {
  usage: 0,
  usage_daily: 0,
  usage_weekly: 0,
  usage_monthly: 0,
  byok_usage: 0,
  byok_usage_daily: 0,
  byok_usage_weekly: 0,
  byok_usage_monthly: 0,
};

/** Creates an API key with the operation for it. @param fields of the request, over and above the name */
export async function newKey(
  app: TestApplication,
  managementKey: string,
  fields: object = {},
): Promise<IssuedKeyResponse> {
  const json = { name: 'Key', ...fields };
  const answer = await app.api.post<IssuedKeyResponse>('/keys', { key: managementKey, json });
  expect(answer.status).toBe(201);
  expectToFitContract('createKeys', 201, answer.body);
  return answer.body;
}

/** The masked form of a key: its prefix, and the first and last three digits of its secret part. */
export function labelOf(key: string): string {
  return key.replace(/^(..-gate-v2-).{22}-(...).*(...)$/, '$1$2...$3');
}

/** What a key says of itself when it is used: 200, or the status of its refusal. */
export async function statusOfCurrentKey(app: TestApplication, key: string): Promise<number> {
  return (await app.api.get('/key', { key })).status;
}

/** The row of a key by its hash in the interface. */
export async function keyRowOf(app: TestApplication, hash: string): Promise<Record<string, unknown>> {
  const rows = await app.rows('SELECT * FROM api_keys WHERE hash = $1', [Buffer.from(hash, 'hex')]);
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

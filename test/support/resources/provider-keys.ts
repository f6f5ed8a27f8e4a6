import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { BYOKKey, BYOKKeyResponse } from '../../../src/modules/providers/own-keys/dto/byok-key.dto.js';
import type { TestApplication } from '../application/test-application.js';
import { expectToFitContract } from '../contract/contract-answers.js';

/** A key of a provider, and its mask. */
export const PROVIDER_SECRET = 'sk-own-0123456789abcdef-LAST';
export const PROVIDER_LABEL = 'sk-o...LAST';

/** Makes an own key over HTTP. @param fields besides, or in place of, a key for OpenAI */
export async function newProviderKey(
  app: TestApplication,
  { managementKey }: NewOrganization,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<BYOKKey> {
  const json = { provider: 'openai', key: PROVIDER_SECRET, ...fields };
  const answer = await app.api.post<BYOKKeyResponse>('/byok', { key: managementKey, json });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 201, text: answer.text });
  expectToFitContract('createBYOKKey', 201, answer.body);
  return answer.body.data;
}

/** The rows of all own keys and the events that tell of anything, to be the same before and after. */
export async function providerKeyState(app: TestApplication): Promise<unknown> {
  return {
    keys: await app.rows('SELECT * FROM provider_keys ORDER BY id'),
    events: await app.rows('SELECT id FROM audit_events ORDER BY id'),
  };
}

import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Limit, LimitException } from '../../../src/modules/limits/dto/limit.dto.js';
import type { TestApplication } from '../application/test-application.js';

/** Makes a limit over HTTP: 100 requests a day of each end user, unless the fields say otherwise. @returns its id */
export async function newLimit(
  app: TestApplication,
  { managementKey: key }: Pick<NewOrganization, 'managementKey'>,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const json = { name: 'Agents', group_by: ['user'], measure: 'requests', amount: 100, window: 'daily', ...fields };
  const answer = await app.api.post<{ data: Limit }>('/limits', { key, json });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 201, text: answer.text });
  return answer.body.data.id;
}

/** Gives a combination of values of a limit another amount over HTTP. @returns the id of the exception */
export async function newLimitException(
  app: TestApplication,
  { managementKey: key }: Pick<NewOrganization, 'managementKey'>,
  limitId: string,
  json: object,
): Promise<string> {
  const answer = await app.api.post<{ data: LimitException }>(`/limits/${limitId}/exceptions`, { key, json });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 201, text: answer.text });
  return answer.body.data.id;
}

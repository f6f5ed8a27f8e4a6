import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Inspector } from '../../../src/modules/inspectors/dto/inspector.dto.js';
import type { TestApplication } from '../application/test-application.js';

/** The key of inspectors of tests, which no answer and no log line may show. */
export const INSPECTOR_KEY = 'inspector-FIRST-SECRET-0123';

/** Secrets that sign requests to inspectors of tests. */
export const INSPECTOR_SIGNING_SECRET = `whsec_${Buffer.from('a secret that signs all requests').toString('base64')}`;

/** Makes an inspector over HTTP, of the default protocol at an address where nothing is, unless the fields say otherwise. */
export async function madeInspector(
  app: TestApplication,
  { managementKey: key }: Pick<NewOrganization, 'managementKey'>,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Inspector> {
  const json = { name: 'Guard', url: 'https://guard.example.com', api_key: INSPECTOR_KEY, ...fields };
  const answer = await app.api.post<{ data: Inspector }>('/inspectors', { key, json });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 201, text: answer.text });
  return answer.body.data;
}

/** Makes an inspector as {@link madeInspector} does. @returns its id */
export async function newInspector(
  app: TestApplication,
  organization: Pick<NewOrganization, 'managementKey'>,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await madeInspector(app, organization, fields)).id;
}

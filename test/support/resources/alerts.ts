import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Alert } from '../../../src/modules/alerts/dto/alert.dto.js';
import type { TestApplication } from '../application/test-application.js';
import { DESTINATION_SAMPLES } from './destination-samples.js';

/** Makes an alert on budgets over HTTP, with a webhook of its own unless the fields name one. @param fields besides, or in place of, these @returns its id */
export async function newAlert(
  app: TestApplication,
  organization: NewOrganization,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const destination_id = fields['destination_id'] ?? (await newWebhook(app, organization));
  const json = { name: 'Budgets', kind: 'budget', ...fields, destination_id };
  const answer = await app.api.post<{ data: Alert }>('/alerts', { key: organization.managementKey, json });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 201, text: answer.text });
  return answer.body.data.id;
}

/** Makes a webhook that alerts can be sent to. @returns its id */
export async function newWebhook(app: TestApplication, organization: NewOrganization): Promise<string> {
  const { config } = DESTINATION_SAMPLES.webhook;
  return app.factory.destination(organization, 'webhook', config);
}

import { sharedApplication } from '../../support/application/shared-application.js';
import type { DestinationType } from '../../../src/modules/observability/destination-settings.js';
import type { GetObservabilityDestinationResponse } from '../../../src/modules/observability/dto/destination.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { DESTINATION_SAMPLES, SECRET_MARK } from '../../support/resources/destination-samples.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

export const HEADERS = {
  'x-tenant': `head-${SECRET_MARK}-tail`,
  Authorization: `Bearer ${SECRET_MARK} token`,
  'x-short': '12345678',
  'x-empty': '',
};

export const MASKED_HEADERS = {
  'x-tenant': 'head...tail',
  Authorization: 'Bear...oken',
  'x-short': '****',
  'x-empty': '****',
};

/** What the tests of getObservabilityDestination make and read. */
export function destinationReading() {
  const app = sharedApplication({ topic: 'destination-reading' });
  const organization = sharedOrganization(app);

  const pathOf = (id: string): string => `/observability/destinations/${id}`;

  const get = (id: string, through = app): Promise<Answer<GetObservabilityDestinationResponse>> =>
    through.api.get(pathOf(id), { key: organization.managementKey });

  const make = (type: DestinationType = 'langfuse', owner = organization): Promise<string> =>
    app.factory.destination(owner, type, { ...DESTINATION_SAMPLES[type].config, headers: HEADERS });

  return { app, organization, pathOf, get, make };
}

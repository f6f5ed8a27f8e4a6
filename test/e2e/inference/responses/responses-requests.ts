import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

/** What the tests of createResponses send, and what they look at. */
export function responsesRequests() {
  const gateway = sharedGateway({ topic: 'responses-requests' });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  return { gateway, organization, key };
}

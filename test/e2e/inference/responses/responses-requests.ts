import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { gatewayOfTopic } from '../shared-gateway.js';

const topicGate = gatewayOfTopic();

/** What the tests of createResponses send, and what they look at. */
export function responsesRequests() {
  const gateway = topicGate();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  return { gateway, organization, key };
}

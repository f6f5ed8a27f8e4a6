import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { gatewayOfTopic } from './shared-gateway.js';

const topicGate = gatewayOfTopic();

/** What the tests of createResponses send, and what they look at. */
export function responsesRequests() {
  const gate = topicGate();
  const organization = organizationPerTest(gate);
  const key = keyPerTest(gate, organization);

  return { gate, organization, key };
}

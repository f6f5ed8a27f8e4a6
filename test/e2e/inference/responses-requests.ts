import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { gateOfTopic } from './shared-gate.js';

const topicGate = gateOfTopic();

/** What the tests of createResponses send, and what they look at. */
export function responsesRequests() {
  const gate = topicGate();
  const organization = organizationPerTest(gate);
  const key = keyPerTest(gate, organization);

  return { gate, organization, key };
}

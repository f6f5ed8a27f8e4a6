import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedGate } from './shared-gate.js';

/** What the tests of createResponses send, and what they look at. */
export function responsesRequests() {
  const gate = sharedGate();
  const organization = organizationPerTest(gate);
  const key = keyPerTest(gate, organization);

  return { gate, organization, key };
}

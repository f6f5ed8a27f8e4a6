import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { gateOfTopic } from './shared-gate.js';
import { endpoint } from './gate.js';

/** A model that tells the probabilities of its tokens. */
export const LIKELY = 'acme/likely';

const PARAMETERS = ['max_tokens', 'logprobs', 'top_logprobs', 'seed'];

export const ADDRESS = 'jane.doe@example.com';

const topicGate = gateOfTopic({}, { [LIKELY]: [endpoint('alpha', { supported_parameters: PARAMETERS })] });

/** What the tests of createCompletions send, and what they look at. */
export function completionsRequests() {
  const gate = topicGate();
  const organization = organizationPerTest(gate);
  const key = keyPerTest(gate, organization);

  return { gate, organization, key };
}

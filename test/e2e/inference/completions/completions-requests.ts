import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';

/** A model that tells the probabilities of its tokens. */
export const LIKELY = 'acme/likely';

const PARAMETERS = ['max_tokens', 'logprobs', 'top_logprobs', 'seed'];

export const ADDRESS = 'jane.doe@example.com';

/** What the tests of createCompletions send, and what they look at. */
export function completionsRequests() {
  const gateway = sharedGateway({
    topic: 'completions-requests',
    models: { [LIKELY]: [endpoint('alpha', { supported_parameters: PARAMETERS })] },
  });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  return { gateway, organization, key };
}

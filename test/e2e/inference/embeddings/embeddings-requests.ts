import { PROVIDER_KEY } from '../test-gateway.js';
import { embeddings } from '../provider-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

/** 0.5 and -1 as little-endian 32-bit floats. */
export const NUMBERS = [0.5, -1];

/** The gateway of the tests of createEmbeddings, whose providers answer with a vector. */
export function embeddingsRequests() {
  const gateway = sharedGateway({
    topic: 'embeddings-requests',
    variables: {
      PROVIDER_NOBODY_PROTOCOL: 'anthropic',
      PROVIDER_NOBODY_BASE_URL: 'http://127.0.0.1:9/v1',
      PROVIDER_NOBODY_API_KEY: PROVIDER_KEY,
    },
  });

  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeEach(() => {
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson(embeddings([NUMBERS]));
  });

  const sent = (): Record<string, unknown> => gateway.alpha.received.at(-1)!.body as Record<string, unknown>;

  return { gateway, organization, key, sent };
}

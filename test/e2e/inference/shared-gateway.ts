import { filledBefore } from '../../support/application/filled-before.js';
import { sharedByTopic } from '../../support/application/shared-by-topic.js';
import { TestGateway } from './test-gateway.js';

/** The gate of a describe block, which starts before its tests, is reset before each, and stops after them. */
export function sharedGateway(...options: Parameters<typeof TestGateway.start>): TestGateway {
  const gate = filledBefore(beforeAll, () => TestGateway.start(...options));
  beforeEach(() => gate.reset());
  afterAll(() => gate.stop());
  return gate;
}

/** A gate that the files of one topic share ({@link sharedByTopic}), and which is reset before each test. */
export function gatewayOfTopic(...options: Parameters<typeof TestGateway.start>): () => TestGateway {
  const sharedOfTopic = sharedByTopic(() => TestGateway.start(...options));
  return () => {
    const gate = sharedOfTopic();
    beforeEach(() => gate.reset());
    return gate;
  };
}

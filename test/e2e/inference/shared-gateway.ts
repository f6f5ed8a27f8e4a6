import { filledBefore } from '../../support/application/filled-before.js';
import { sharedByTopic } from '../../support/application/shared-by-topic.js';
import { TestGateway } from './test-gateway.js';

/** The gateway of a describe block, which starts before its tests, is reset before each, and stops after them. */
export function sharedGateway(...options: Parameters<typeof TestGateway.start>): TestGateway {
  const gateway = filledBefore(beforeAll, () => TestGateway.start(...options));
  beforeEach(() => gateway.reset());
  afterAll(() => gateway.stop());
  return gateway;
}

/** A gateway that the files of one topic share ({@link sharedByTopic}), and which is reset before each test. */
export function gatewayOfTopic(...options: Parameters<typeof TestGateway.start>): () => TestGateway {
  const sharedOfTopic = sharedByTopic(() => TestGateway.start(...options));
  return () => {
    const gateway = sharedOfTopic();
    beforeEach(() => gateway.reset());
    return gateway;
  };
}

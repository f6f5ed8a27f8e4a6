import { filledBefore } from '../../support/application/filled-before.js';
import { sharedByTopic } from '../../support/application/shared-by-topic.js';
import { Gate } from './gate.js';

/** The gate of a describe block, which starts before its tests, is reset before each, and stops after them. */
export function sharedGate(...options: Parameters<typeof Gate.start>): Gate {
  const gate = filledBefore(beforeAll, () => Gate.start(...options));
  beforeEach(() => gate.reset());
  afterAll(() => gate.stop());
  return gate;
}

/** A gate that the files of one topic share ({@link sharedByTopic}), and which is reset before each test. */
export function gateOfTopic(...options: Parameters<typeof Gate.start>): () => Gate {
  const sharedOfTopic = sharedByTopic(() => Gate.start(...options));
  return () => {
    const gate = sharedOfTopic();
    beforeEach(() => gate.reset());
    return gate;
  };
}

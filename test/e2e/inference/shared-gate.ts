import { filledBefore } from '../../support/application/filled-before.js';
import { Gate } from './gate.js';

/** The gate of a describe block, which starts before its tests, is reset before each, and stops after them. */
export function sharedGate(...options: Parameters<typeof Gate.start>): Gate {
  const gate = filledBefore(beforeAll, () => Gate.start(...options));
  beforeEach(() => gate.reset());
  afterAll(() => gate.stop());
  return gate;
}

import { filledBefore } from '../../support/application/filled-before.js';
import { AlertingGateway } from './alerting-gateway.js';

/** The gateway of a describe block, which starts before its tests, is reset before each, and stops after them. */
export function sharedAlertingGateway(): AlertingGateway {
  const alerting = filledBefore(beforeAll, () => AlertingGateway.start());
  beforeEach(() => alerting.reset());
  afterAll(() => alerting.stop());
  return alerting;
}

import { Shared, type Sharing } from '../../support/application/shared.js';
import { TestGateway, type TestGatewayOptions } from './test-gateway.js';

const gateways = new Shared<TestGateway>();

/**
 * The gateway of a describe block, which starts before its tests, is reset before each, and stops after them.
 *
 * @param options with a topic, blocks of several files share it
 */
export function sharedGateway({ topic, ...options }: TestGatewayOptions & Sharing = {}): TestGateway {
  const gateway = gateways.forBlock(() => TestGateway.start(options), { topic });
  beforeEach(() => gateway.reset());
  return gateway;
}

import type { Issued } from '../../../src/modules/keys/keys.service.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { gatewayOfTopic } from './shared-gateway.js';

export interface ErrorBody {
  readonly error: { readonly message: string; readonly metadata: Record<string, unknown> };
}

const topicGate = gatewayOfTopic();

/** The gateway of the tests of filtered texts, with an organization and keys under guardrails. */
export function filteredTexts() {
  const gate = topicGate();
  const organization = organizationPerTest(gate);

  const guarded = (settings: object): Promise<Issued> => gate.guardedKey(organization, settings);

  return { gate, organization, guarded };
}

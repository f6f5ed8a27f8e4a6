import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

export interface ErrorBody {
  readonly error: { readonly message: string; readonly metadata: Record<string, unknown> };
}

/** The gateway of the tests of filtered texts, with an organization and keys under guardrails. */
export function filteredTexts() {
  const gateway = sharedGateway({ topic: 'filtered-texts' });
  const organization = organizationPerTest(gateway);

  const guarded = (settings: object): Promise<IssuedCredential> => gateway.guardedKey(organization, settings);

  return { gateway, organization, guarded };
}

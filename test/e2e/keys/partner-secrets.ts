import { sharedApplication } from '../../support/application/shared-application.js';
import { randomBytes } from 'node:crypto';
import type { IssuedKeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** A secret as a partner may choose one. */
export const newSecret = (): string => `partner.${randomBytes(24).toString('hex')}`;

/** What the tests of the secrets of partners send. */
export function partnerSecrets() {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  const post = (external: unknown, managementKey = organization.managementKey): Promise<Answer<IssuedKeyResponse>> =>
    app.api.post('/keys', { key: managementKey, json: { name: 'Partner', external } });

  return { app, organization, post };
}

import type { Answer } from '../../support/network/api-client.js';
import { sharedApplication, sharedReplica } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** The limit has tests of its own. */
const UNLIMITED = { KEY_DELETION_RATE_LIMIT: '1000000' };

/** What the tests of deleteKeys send, and what they look at. */
export function keyDeletion() {
  const app = sharedApplication({ topic: 'key-deletion', variables: UNLIMITED });
  const replica = sharedReplica(app, UNLIMITED);
  const organization = sharedOrganization(app);
  const other = sharedOrganization(app);

  const remove = (key: string, hash: string, { api } = app): Promise<Answer> => api.delete(`/keys/${hash}`, { key });

  const isStored = async (hash: string): Promise<boolean> =>
    (await app.rows('SELECT id FROM api_keys WHERE hash = $1', [Buffer.from(hash, 'hex')])).length === 1;

  const statusWith = async (key: string, { api } = replica): Promise<number> =>
    (await api.get('/images/models', { key })).status;

  return { app, replica, organization, other, remove, isStored, statusWith };
}

import { issueSecret } from '../../src/modules/keys/credentials/key-format.js';
import { newOrganizationId } from '../../src/persistence/identifiers.js';
import type { Tenant } from '../support/resources/tenant.js';
import {
  MANAGEMENT_KEYS as CALLERS,
  type OperationRows,
  otherId,
  type OtherOrganizationCases,
  type RequestParts,
  UNKNOWN_USER,
  withoutIds,
} from './operation-row.js';
import { keptSecret, type SampleOrganization } from './sample-organization.js';

const UNKNOWN_HASH = issueSecret('management_key', newOrganizationId()).hash.toString('hex');

/** Operations on one management key with another organization's. @param parts what the request has besides */
function otherKey(theirs: Tenant, parts: RequestParts = {}): OtherOrganizationCases {
  const byHash = (hash: string): RequestParts => ({ ...parts, path: { hash } });
  return {
    'a management key': otherId(404, byHash, theirs.managementKeyHash, UNKNOWN_HASH),
    'an API key': otherId(404, byHash, theirs.apiKeyHash, UNKNOWN_HASH),
  };
}

/** Another management key of the administrator. @returns its hash */
async function newHash(organization: SampleOrganization): Promise<string> {
  return keptSecret(organization, await organization.app.factory.key(organization, { kind: 'management_key' })).hash;
}

/** The operations of management keys. */
export const MANAGEMENT_KEYS: OperationRows = {
  createManagementKey: {
    method: 'POST',
    path: '/management-keys',
    callers: CALLERS,
    permission: 'management_keys_write',
    decidesIdentity: true,
    success: 201,
    errors: [400, 403],
    auditActions: ['key.create'],
    insertsInto: 'api_keys',
    isBeyondContract: true,
    request: () => ({ json: { name: 'Reporting', scopes: ['usage_read'] } }),
    otherOrganization: (_, theirs) => {
      const forUser = (id: string): RequestParts => ({ json: { name: 'Intruder', creator_user_id: id } });
      return { 'for a member': otherId(400, forUser, theirs.memberId, UNKNOWN_USER) };
    },
  },
  deleteManagementKey: {
    method: 'DELETE',
    path: '/management-keys/{hash}',
    callers: CALLERS,
    permission: 'management_keys_write',
    decidesIdentity: false,
    success: 200,
    errors: [404, 429],
    auditActions: ['key.delete'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { hash: await newHash(organization) } }),
    otherOrganization: (_, theirs) => otherKey(theirs),
  },
  getManagementKey: {
    method: 'GET',
    path: '/management-keys/{hash}',
    callers: CALLERS,
    permission: 'management_keys_read',
    success: 200,
    errors: [404],
    isBeyondContract: true,
    request: async (organization) => ({ path: { hash: await newHash(organization) } }),
    otherOrganization: (_, theirs) => otherKey(theirs),
  },
  listManagementKeys: {
    method: 'GET',
    path: '/management-keys',
    callers: CALLERS,
    permission: 'management_keys_read',
    success: 200,
    errors: [400],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  rotateManagementKey: {
    method: 'POST',
    path: '/management-keys/{hash}/rotate',
    callers: CALLERS,
    permission: 'management_keys_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403, 404],
    auditActions: ['key.rotate'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { hash: await newHash(organization) }, json: { grace_seconds: 60 } }),
    otherOrganization: (_, theirs) => otherKey(theirs, { json: { grace_seconds: 60 } }),
  },
  updateManagementKey: {
    method: 'PATCH',
    path: '/management-keys/{hash}',
    callers: CALLERS,
    permission: 'management_keys_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 404],
    auditActions: ['key.update'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { hash: await newHash(organization) }, json: { scopes: ['keys_read'] } }),
    otherOrganization: (_, theirs) => otherKey(theirs, { json: { name: 'Taken', disabled: true } }),
  },
};

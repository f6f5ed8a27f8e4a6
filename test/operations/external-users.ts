import { newUuid } from '../../src/persistence/identifiers.js';
import { newExternalUser } from '../support/resources/external-users.js';
import type { Tenant } from '../support/resources/tenant.js';
import {
  MANAGEMENT_KEYS,
  type OperationRow,
  type OperationRows,
  otherId,
  type OtherOrganizationCases,
  type RequestParts,
} from './operation-row.js';
import type { SampleOrganization } from './sample-organization.js';

const UNKNOWN_EXTERNAL_USER = 'customer of nobody';

/** Operations on one user with another organization's. @param json what the request has besides */
function otherUser(theirs: Tenant, json?: Record<string, unknown>): OtherOrganizationCases {
  const byName = (user: string): RequestParts => ({
    path: { user: encodeURIComponent(user) },
    ...(json && { json }),
  });
  return { 'by name': otherId(404, byName, theirs.externalUser, UNKNOWN_EXTERNAL_USER) };
}

/** A user who is registered now. @returns the parts of a path */
async function newUser(organization: SampleOrganization): Promise<{ user: string }> {
  return { user: await newExternalUser(organization.app, organization, newUuid()) };
}

/** What the operations on one user have in common. */
const ON_ONE: Pick<OperationRow, 'path' | 'callers' | 'isBeyondContract'> = {
  path: '/external-users/{user}',
  callers: MANAGEMENT_KEYS,
  isBeyondContract: true,
};

/** The operations on users of the organization's own product. */
export const EXTERNAL_USERS: OperationRows = {
  createExternalUser: {
    method: 'POST',
    path: '/external-users',
    callers: MANAGEMENT_KEYS,
    permission: 'keys_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403, 409],
    auditActions: ['external_user.create'],
    insertsInto: 'external_users',
    isBeyondContract: true,
    request: () => ({ json: { user: newUuid() } }),
    // What another organization has registered is as free as what none has.
    otherOrganization: (_, theirs) => {
      const nameless = { json: { user: '' } };
      const named = (user: string): RequestParts => ({ query: `user=${encodeURIComponent(user)}`, ...nameless });
      return {
        'without a name': { status: 400, theirs: nameless, missing: nameless },
        'with a name in the query': otherId(400, named, theirs.externalUser, UNKNOWN_EXTERNAL_USER),
      };
    },
  },
  deleteExternalUser: {
    ...ON_ONE,
    method: 'DELETE',
    permission: 'keys_write',
    decidesIdentity: false,
    success: 204,
    errors: [403, 404],
    auditActions: ['external_user.delete'],
    request: async (organization) => ({ path: await newUser(organization) }),
    otherOrganization: (_, theirs) => otherUser(theirs),
  },
  getExternalUser: {
    ...ON_ONE,
    method: 'GET',
    permission: 'keys_read',
    success: 200,
    errors: [403, 404],
    request: async (organization) => ({ path: await newUser(organization) }),
    otherOrganization: (_, theirs) => otherUser(theirs),
  },
  listExternalUsers: {
    method: 'GET',
    path: '/external-users',
    callers: MANAGEMENT_KEYS,
    permission: 'keys_read',
    success: 200,
    errors: [400, 403],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: (_, theirs) => {
      const named = (user: string): RequestParts => ({ query: `user=${encodeURIComponent(user)}` });
      return { 'by name': otherId(200, named, theirs.externalUser, UNKNOWN_EXTERNAL_USER) };
    },
  },
  updateExternalUser: {
    ...ON_ONE,
    method: 'PATCH',
    permission: 'keys_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 404],
    auditActions: ['external_user.update'],
    request: async (organization) => ({ path: await newUser(organization), json: { is_active: false } }),
    otherOrganization: (_, theirs) => otherUser(theirs, { is_active: false }),
  },
};

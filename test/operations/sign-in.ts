import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import { connectionSettings, newMemberIdentity, newSignInConnection } from '../support/resources/sign-in.js';
import type { Tenant } from '../support/resources/tenant.js';
import {
  MANAGEMENT_KEYS,
  type OperationRows,
  otherId,
  type OtherOrganizationCases,
  type RequestParts,
  UNKNOWN_USER,
  withoutIds,
} from './operation-row.js';

/** Operations on one identity provider with another organization's. @param json what the request has besides */
function otherConnection(theirs: Tenant, json?: Record<string, unknown>): OtherOrganizationCases {
  const byId = (id: string): RequestParts => ({ path: { id }, ...(json && { json }) });
  return {
    'by id': otherId(404, byId, theirs.signInConnectionId, UNKNOWN_UUID),
    'by id in capitals': otherId(404, byId, theirs.signInConnectionId.toUpperCase(), UNKNOWN_UUID),
    'by the id of something else': otherId(404, byId, theirs.workspaceId, UNKNOWN_UUID),
  };
}

const IDENTITY = { issuer: 'https://idp.example.com', subject: 'another' };

/** The operations of signing in. */
export const SIGN_IN: OperationRows = {
  createMemberIdentity: {
    method: 'POST',
    path: '/organization/members/{id}/identities',
    callers: MANAGEMENT_KEYS,
    permission: 'sign_in_write',
    decidesIdentity: true,
    success: 201,
    errors: [400, 403, 404, 409],
    auditActions: ['member_identity.create'],
    insertsInto: 'member_identities',
    isBeyondContract: true,
    request: ({ userId: id }) => ({ path: { id }, json: { ...IDENTITY, subject: connectionSettings().client_id } }),
    otherOrganization: (_, theirs) => ({
      'for a member': otherId(404, (id) => ({ path: { id }, json: IDENTITY }), theirs.memberId, UNKNOWN_USER),
    }),
  },
  createSignInConnection: {
    method: 'POST',
    path: '/sign-in/connections',
    callers: MANAGEMENT_KEYS,
    permission: 'sign_in_write',
    decidesIdentity: true,
    success: 201,
    errors: [400, 403, 409],
    auditActions: ['sign_in_connection.create'],
    insertsInto: 'sign_in_connections',
    isBeyondContract: true,
    request: () => ({ json: connectionSettings() }),
    otherOrganization: () => ({
      'without a name': {
        status: 400,
        theirs: { json: { ...connectionSettings(), name: '' } },
        missing: { json: { ...connectionSettings(), name: '' } },
      },
    }),
  },
  deleteMemberIdentity: {
    method: 'DELETE',
    path: '/organization/members/{id}/identities/{identity_id}',
    callers: MANAGEMENT_KEYS,
    permission: 'sign_in_write',
    decidesIdentity: true,
    success: 200,
    errors: [403, 404],
    auditActions: ['member_identity.delete'],
    isBeyondContract: true,
    request: async (organization) => ({
      path: { id: organization.userId, identity_id: await newMemberIdentity(organization.app, organization) },
    }),
    otherOrganization: (ours, theirs) => ({
      'by id': otherId(
        404,
        (identity_id) => ({ path: { id: ours.userId, identity_id } }),
        theirs.memberIdentityId,
        UNKNOWN_UUID,
      ),
      'of their member': otherId(
        404,
        (id) => ({ path: { id, identity_id: theirs.memberIdentityId } }),
        theirs.userId,
        UNKNOWN_USER,
      ),
    }),
  },
  deleteSignInConnection: {
    method: 'DELETE',
    path: '/sign-in/connections/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'sign_in_write',
    decidesIdentity: true,
    success: 200,
    errors: [403, 404],
    auditActions: ['sign_in_connection.delete'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { id: await newSignInConnection(organization.app, organization) } }),
    otherOrganization: (_, theirs) => otherConnection(theirs),
  },
  getSession: {
    method: 'GET',
    path: '/session',
    callers: MANAGEMENT_KEYS,
    success: 200,
    errors: [],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  getSignInConnection: {
    method: 'GET',
    path: '/sign-in/connections/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'sign_in_read',
    success: 200,
    errors: [403, 404],
    isBeyondContract: true,
    request: ({ signInConnectionId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => otherConnection(theirs),
  },
  listMemberIdentities: {
    method: 'GET',
    path: '/organization/members/{id}/identities',
    callers: MANAGEMENT_KEYS,
    permission: 'sign_in_read',
    success: 200,
    errors: [403, 404],
    isBeyondContract: true,
    request: ({ userId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => ({
      'of a member': otherId(404, (id) => ({ path: { id } }), theirs.memberId, UNKNOWN_USER),
    }),
  },
  listSignInConnections: {
    method: 'GET',
    path: '/sign-in/connections',
    callers: MANAGEMENT_KEYS,
    permission: 'sign_in_read',
    success: 200,
    errors: [400, 403],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  updateSignInConnection: {
    method: 'PATCH',
    path: '/sign-in/connections/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'sign_in_write',
    decidesIdentity: true,
    success: 200,
    errors: [400, 403, 404],
    auditActions: ['sign_in_connection.update'],
    isBeyondContract: true,
    request: ({ signInConnectionId: id }) => ({ path: { id }, json: { name: 'Renamed' } }),
    otherOrganization: (_, theirs) => otherConnection(theirs, { name: 'Intruder' }),
  },
};

import { finishedSyncJob, type Tenant } from '../support/resources/tenant.js';
import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import {
  MANAGEMENT_KEYS,
  type OperationRows,
  otherId,
  type OtherOrganizationCases,
  type RequestParts,
  withoutIds,
} from './operation-row.js';
import type { SampleOrganization } from './sample-organization.js';

/** Operations on one mapping with another organization's. @param parts what the request has besides */
function otherMapping(theirs: Tenant, parts: RequestParts = {}): OtherOrganizationCases {
  const byId = (id: string): RequestParts => ({ ...parts, path: { id } });
  return {
    'by id': otherId(404, byId, theirs.mappingId, UNKNOWN_UUID),
    'by id in capitals': otherId(404, byId, theirs.mappingId.toUpperCase(), UNKNOWN_UUID),
    'by the id of something else': otherId(404, byId, theirs.mappedScimGroupId, UNKNOWN_UUID),
    'by no UUID': otherId(404, byId, theirs.organizationId, 'nowhere'),
  };
}

/** Operations on one token with another organization's. @param parts what the request has besides */
function otherToken(theirs: Tenant, parts: RequestParts = {}): OtherOrganizationCases {
  const byId = (id: string): RequestParts => ({ ...parts, path: { id } });
  return { 'by id': otherId(404, byId, theirs.provisioningTokenId, UNKNOWN_UUID) };
}

/** Lets the tokens of an organization be over, which may have two that are not. */
async function expireTokens({ app, organizationId }: SampleOrganization): Promise<void> {
  await app.rows(`UPDATE provisioning_tokens SET expires_at = now() - interval '1 day' WHERE organization_id = $1`, [
    organizationId,
  ]);
}

/** A token that leaves room for others, because it is over. @returns its id */
async function newToken(organization: SampleOrganization): Promise<string> {
  await expireTokens(organization);
  const { token, plaintext } = await organization.app.factory.provisioningToken(organization.organizationId);
  organization.secrets.push(plaintext);
  await expireTokens(organization);
  return token.id;
}

/** A job that has ended. @returns its id */
async function newSyncJob({ app, organizationId }: SampleOrganization): Promise<string> {
  return finishedSyncJob(app, organizationId);
}

/** A mapping of a new group. @returns its id */
async function newMapping(organization: SampleOrganization): Promise<string> {
  const { factory } = organization.app;
  return factory.scimMapping(organization, await factory.scimGroup(organization), organization.workspaceOfMembers);
}

/** The operations of SCIM group mappings. */
export const SCIM: OperationRows = {
  createScimGroupMapping: {
    method: 'POST',
    path: '/scim/group-mappings',
    callers: MANAGEMENT_KEYS,
    permission: 'scim_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 404, 409],
    auditActions: ['scim_group_mapping.create'],
    insertsInto: 'scim_group_mappings',
    request: async (organization) => ({
      json: {
        scim_group_id: await organization.app.factory.scimGroup(organization),
        workspace_id: organization.workspaceId,
      },
    }),
    otherOrganization: (ours, theirs) => {
      const map = (scim_group_id: string, workspace_id: string): RequestParts => ({
        json: { scim_group_id, workspace_id },
      });
      const ofGroup = (id: string): RequestParts => map(id, ours.workspaceId);
      const toWorkspace = (id: string): RequestParts => map(ours.scimGroupId, id);
      const missing = map(UNKNOWN_UUID, UNKNOWN_UUID);
      return {
        'of a group': otherId(404, ofGroup, theirs.scimGroupId, UNKNOWN_UUID),
        'of a group that is mapped': otherId(404, ofGroup, theirs.mappedScimGroupId, UNKNOWN_UUID),
        'to a workspace': otherId(404, toWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
        'to the default workspace': otherId(404, toWorkspace, theirs.workspaceId, UNKNOWN_UUID),
        'of a group to a workspace': { status: 404, theirs: map(theirs.scimGroupId, theirs.workspaceId), missing },
        'of a pair that is mapped': {
          status: 404,
          theirs: map(theirs.mappedScimGroupId, theirs.otherWorkspaceId),
          missing,
        },
      };
    },
  },
  createProvisioningToken: {
    method: 'POST',
    path: '/scim/tokens',
    callers: MANAGEMENT_KEYS,
    permission: 'scim_write',
    decidesIdentity: true,
    success: 201,
    errors: [400, 403, 409],
    auditActions: ['provisioning_token.create'],
    insertsInto: 'provisioning_tokens',
    isBeyondContract: true,
    request: async (organization) => {
      await expireTokens(organization);
      return { json: { name: 'Okta' } };
    },
    otherOrganization: () => ({
      'with the name of theirs': otherId(400, (name) => ({ json: { name, id: name } }), 'Theirs', 'Nowhere'),
    }),
  },
  createScimSyncJob: {
    method: 'POST',
    path: '/scim/sync-jobs',
    callers: MANAGEMENT_KEYS,
    permission: 'scim_write',
    decidesIdentity: false,
    success: 202,
    errors: [403, 404],
    auditActions: ['scim_sync_job.create'],
    isBeyondContract: true,
    request: async ({ app, organizationId }) => {
      await app.rows('DELETE FROM scim_sync_jobs WHERE organization_id = $1', [organizationId]);
      return {};
    },
    // The state of a job may change from one answer to the next.
    otherOrganization: (_, theirs) => ({
      'with an id in the query': otherId(400, (id) => ({ query: `id=${id}` }), theirs.syncJobId, UNKNOWN_UUID),
    }),
  },
  deleteScimGroupMapping: {
    method: 'DELETE',
    path: '/scim/group-mappings/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'scim_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 404],
    auditActions: ['scim_group_mapping.delete'],
    request: async (organization) => ({ path: { id: await newMapping(organization) }, query: 'keep_members=true' }),
    otherOrganization: (_, theirs) => otherMapping(theirs, { query: 'keep_members=false' }),
  },
  getScimGroupMapping: {
    method: 'GET',
    path: '/scim/group-mappings/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'scim_read',
    success: 200,
    errors: [404],
    request: ({ mappingId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => otherMapping(theirs),
  },
  getScimSyncJob: {
    method: 'GET',
    path: '/scim/sync-jobs/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'scim_read',
    success: 200,
    errors: [403, 404],
    isBeyondContract: true,
    request: async (organization) => ({ path: { id: await newSyncJob(organization) } }),
    otherOrganization: (_, theirs) => {
      const byId = (id: string): RequestParts => ({ path: { id } });
      return {
        'by id': otherId(404, byId, theirs.syncJobId, UNKNOWN_UUID),
        'by no UUID': otherId(404, byId, 'x', 'y'),
      };
    },
  },
  listProvisioningTokens: {
    method: 'GET',
    path: '/scim/tokens',
    callers: MANAGEMENT_KEYS,
    permission: 'scim_read',
    success: 200,
    errors: [403],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  listScimGroupMappings: {
    method: 'GET',
    path: '/scim/group-mappings',
    callers: MANAGEMENT_KEYS,
    permission: 'scim_read',
    success: 200,
    errors: [404],
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  listScimGroupMembers: {
    method: 'GET',
    path: '/scim/groups/{id}/members',
    callers: MANAGEMENT_KEYS,
    permission: 'scim_read',
    success: 200,
    errors: [404],
    isBeyondContract: true,
    request: ({ groupId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => {
      const byId = (id: string): RequestParts => ({ path: { id } });
      return {
        'by id': otherId(404, byId, theirs.mappedScimGroupId, UNKNOWN_UUID),
        'by the id of a mapping': otherId(404, byId, theirs.mappingId, UNKNOWN_UUID),
        'by no UUID': otherId(404, byId, theirs.organizationId, 'nowhere'),
      };
    },
  },
  listScimGroups: {
    method: 'GET',
    path: '/scim/groups',
    callers: MANAGEMENT_KEYS,
    permission: 'scim_read',
    success: 200,
    errors: [404],
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  revokeProvisioningToken: {
    method: 'DELETE',
    path: '/scim/tokens/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'scim_write',
    decidesIdentity: true,
    success: 200,
    errors: [403, 404],
    auditActions: ['provisioning_token.revoke'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { id: await newToken(organization) } }),
    otherOrganization: (_, theirs) => otherToken(theirs),
  },
  rotateProvisioningToken: {
    method: 'POST',
    path: '/scim/tokens/{id}/rotate',
    callers: MANAGEMENT_KEYS,
    permission: 'scim_write',
    decidesIdentity: true,
    success: 201,
    errors: [400, 403, 404],
    auditActions: ['provisioning_token.rotate'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { id: await newToken(organization) }, json: { grace_seconds: 60 } }),
    otherOrganization: (_, theirs) => otherToken(theirs),
  },
  updateScimGroupMapping: {
    method: 'PATCH',
    path: '/scim/group-mappings/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'scim_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 404],
    auditActions: ['scim_group_mapping.update'],
    request: async (organization) => ({ path: { id: await newMapping(organization) }, json: { role: 'admin' } }),
    otherOrganization: (_, theirs) => otherMapping(theirs, { json: { role: 'admin' } }),
  },
};

import { type Attempt, attempt, sameForAll, type Call, type Cases } from '../../support/foreign-ids.js';
import type { Tenant } from '../../support/tenants.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';

/** What the operations of scim could be told of another organization. */
export const SCIM_CASES: Cases = {
  createScimGroupMapping: (ours, theirs) => {
    const map = (scim_group_id: string, workspace_id: string): Call => ({
      method: 'POST',
      path: '/scim/group-mappings',
      json: { scim_group_id, workspace_id },
    });
    const none = map(UNKNOWN_UUID, UNKNOWN_UUID);
    const ofGroup = (id: string): Call => map(id, ours.workspaceId);
    const toWorkspace = (id: string): Call => map(ours.scimGroupId, id);
    return {
      'of a group': attempt(404, ofGroup, theirs.scimGroupId, UNKNOWN_UUID),
      'of a group that is mapped': attempt(404, ofGroup, theirs.mappedScimGroupId, UNKNOWN_UUID),
      'to a workspace': attempt(404, toWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'to the default workspace': attempt(404, toWorkspace, theirs.workspaceId, UNKNOWN_UUID),
      'of a group to a workspace': { status: 404, foreign: map(theirs.scimGroupId, theirs.workspaceId), missing: none },
      'of a pair that is mapped': {
        status: 404,
        foreign: map(theirs.mappedScimGroupId, theirs.otherWorkspaceId),
        missing: none,
      },
    };
  },

  getScimGroupMapping: (_, theirs) =>
    mappingCases(theirs, (id) => ({ method: 'GET', path: `/scim/group-mappings/${id}` })),

  updateScimGroupMapping: (_, theirs) =>
    mappingCases(theirs, (id) => ({ method: 'PATCH', path: `/scim/group-mappings/${id}`, json: { role: 'admin' } })),

  deleteScimGroupMapping: (_, theirs) =>
    mappingCases(theirs, (id) => ({ method: 'DELETE', path: `/scim/group-mappings/${id}?keep_members=false` })),

  listScimGroups: () => sameForAll({ method: 'GET', path: '/scim/groups' }),

  // It takes no ids: what is theirs must not be in it.
  listScimGroupMappings: () => sameForAll({ method: 'GET', path: '/scim/group-mappings' }),
};

/** What every operation on one mapping could be told. */
function mappingCases(theirs: Tenant, call: (id: string) => Call): Record<string, Attempt> {
  return {
    'by id': attempt(404, call, theirs.mappingId, UNKNOWN_UUID),
    'by id in capitals': attempt(404, call, theirs.mappingId.toUpperCase(), UNKNOWN_UUID),
    'by the id of something else': attempt(404, call, theirs.mappedScimGroupId, UNKNOWN_UUID),
    'by no UUID': attempt(404, call, theirs.organizationId, 'nowhere'),
  };
}

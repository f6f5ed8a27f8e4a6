import { type Attempt, attempt, type Call, type Cases, sameForAll } from '../../support/foreign-ids.js';
import type { Tenant } from '../../support/tenants.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';

/** What the operations of guardrails could be told of another organization. */
export const GUARDRAILS_CASES: Cases = {
  createGuardrail: (_, theirs) => {
    const inWorkspace = (workspace_id: string): Call => ({
      method: 'POST',
      path: '/guardrails',
      json: { name: 'Intruder', workspace_id },
    });
    return {
      'in a workspace': attempt(400, inWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'in the default workspace': attempt(400, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
      'in a workspace in capitals': attempt(400, inWorkspace, theirs.workspaceId.toUpperCase(), UNKNOWN_UUID),
    };
  },

  listGuardrails: (_, theirs) => {
    const ofWorkspace = (id: string): Call => ({ method: 'GET', path: `/guardrails?workspace_id=${id}` });
    return {
      'of a workspace': attempt(200, ofWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
      'of the default workspace': attempt(200, ofWorkspace, theirs.workspaceId, UNKNOWN_UUID),
    };
  },

  getGuardrail: (_, theirs) => guardrailCases(theirs, (id) => ({ method: 'GET', path: `/guardrails/${id}` })),

  updateGuardrail: (_, theirs) =>
    guardrailCases(theirs, (id) => ({ method: 'PATCH', path: `/guardrails/${id}`, json: { name: 'Intruder' } })),

  bulkAssignKeysToGuardrail: (ours, theirs) => bulkCases(ours, theirs, 'keys', ''),

  bulkUnassignKeysFromGuardrail: (ours, theirs) => bulkCases(ours, theirs, 'keys', '/remove'),

  bulkAssignMembersToGuardrail: (ours, theirs) => bulkCases(ours, theirs, 'members', ''),

  bulkUnassignMembersFromGuardrail: (ours, theirs) => bulkCases(ours, theirs, 'members', '/remove'),

  listGuardrailKeyAssignments: (_, theirs) =>
    guardrailCases(theirs, (id) => ({ method: 'GET', path: `/guardrails/${id}/assignments/keys` })),

  listGuardrailMemberAssignments: (_, theirs) =>
    guardrailCases(theirs, (id) => ({ method: 'GET', path: `/guardrails/${id}/assignments/members` })),

  listKeyAssignments: () => sameForAll({ method: 'GET', path: '/guardrails/assignments/keys' }),

  listMemberAssignments: () => sameForAll({ method: 'GET', path: '/guardrails/assignments/members' }),

  getEffectiveGuardrails: (ours, theirs) => {
    const of = (hash: string): Call => ({ method: 'GET', path: `/guardrails/effective?key_hash=${hash}` });
    const trying = (id: string): Call => ({ ...of(ours.apiKeyHash), path: `${of(ours.apiKeyHash).path}&with=${id}` });
    return {
      'of a key': attempt(404, of, theirs.apiKeyHash, '0'.repeat(64)),
      'with a guardrail': attempt(404, trying, theirs.guardrailId, UNKNOWN_UUID),
      'with a default guardrail': attempt(404, trying, theirs.defaultGuardrailId, UNKNOWN_UUID),
    };
  },

  listModelsUser: (ours) => sameForAll({ method: 'GET', path: '/models/user', key: ours.apiKey }),

  deleteGuardrail: (_, theirs) => guardrailCases(theirs, (id) => ({ method: 'DELETE', path: `/guardrails/${id}` })),
};

/** What every operation on one guardrail could be told. */
function guardrailCases(theirs: Tenant, call: (id: string) => Call): Record<string, Attempt> {
  return {
    'by id': attempt(404, call, theirs.guardrailId, UNKNOWN_UUID),
    'by id in capitals': attempt(404, call, theirs.guardrailId.toUpperCase(), UNKNOWN_UUID),
    'by the id of a default guardrail': attempt(404, call, theirs.defaultGuardrailId, UNKNOWN_UUID),
    'by the id of something else': attempt(404, call, theirs.workspaceId, UNKNOWN_UUID),
  };
}

/** What an operation on many keys or members could be told. */
function bulkCases(ours: Tenant, theirs: Tenant, segment: 'keys' | 'members', suffix: string): Record<string, Attempt> {
  const call = (guardrailId: string, reference: string): Call => ({
    method: 'POST',
    path: `/guardrails/${guardrailId}/assignments/${segment}${suffix}`,
    json: { [segment === 'keys' ? 'key_hashes' : 'member_user_ids']: [reference] },
  });
  const [own, foreign, missing] =
    segment === 'keys'
      ? [ours.apiKeyHash, theirs.apiKeyHash, '0'.repeat(64)]
      : [ours.memberId, theirs.memberId, 'user_nobody'];
  return {
    ...guardrailCases(theirs, (id) => call(id, own)),
    'what is theirs': attempt(404, (reference) => call(ours.guardrailId, reference), foreign, missing),
    'both theirs': attempt(404, (id) => call(id, foreign), theirs.guardrailId, UNKNOWN_UUID),
  };
}

import type { Tenant } from '../support/resources/tenant.js';
import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import {
  MANAGEMENT_AND_API_KEYS,
  MANAGEMENT_KEYS,
  type OperationRow,
  type OperationRows,
  otherId,
  type OtherOrganizationCases,
  type RequestParts,
  UNKNOWN_USER,
  withoutIds,
} from './operation-row.js';
import { keptSecret, type SampleOrganization } from './sample-organization.js';

/** A request to the builtin provider. */
const ECHO_CHAT = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }] };

const FILTER = { pattern: 'PROJECT-[0-9]{4}', action: 'redact', label: null };

/** Cases that send another organization's guardrail id. @param json a body that the operation takes */
function otherGuardrail(theirs: Tenant, json?: object): OtherOrganizationCases {
  const byId = (id: string): RequestParts => ({ path: { id }, ...(json && { json: { ...json } }) });
  return {
    'by id': otherId(404, byId, theirs.guardrailId, UNKNOWN_UUID),
    'by id in capitals': otherId(404, byId, theirs.guardrailId.toUpperCase(), UNKNOWN_UUID),
    'by the id of a default guardrail': otherId(404, byId, theirs.defaultGuardrailId, UNKNOWN_UUID),
    'by the id of something else': otherId(404, byId, theirs.workspaceId, UNKNOWN_UUID),
  };
}

/** An operation that assigns many keys or members to a guardrail, or removes them from it. */
function bulkRow(of: 'keys' | 'members', isRemoval: boolean, row: Pick<OperationRow, 'auditActions'>): OperationRow {
  const body = (reference: string): Record<string, unknown> =>
    of === 'keys' ? { key_hashes: [reference] } : { member_user_ids: [reference] };
  return {
    ...row,
    method: 'POST',
    path: `/guardrails/{id}/assignments/${of}${isRemoval ? '/remove' : ''}`,
    callers: MANAGEMENT_KEYS,
    permission: 'guardrails_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 404],
    request: async (organization) => {
      const { app, managementKey: key, organizationId } = organization;
      const json = body(
        of === 'keys'
          ? keptSecret(organization, await app.factory.key(organization)).hash
          : await app.factory.member(organizationId),
      );
      const id = await newGuardrail(organization);
      // What is to be removed is there.
      if (isRemoval) await app.api.post(`/guardrails/${id}/assignments/${of}`, { key, json });
      return { path: { id }, json };
    },
    otherOrganization: (ours, theirs) => {
      const [own, foreign, missing] =
        of === 'keys'
          ? [ours.apiKeyHash, theirs.apiKeyHash, '0'.repeat(64)]
          : [ours.memberId, theirs.memberId, UNKNOWN_USER];
      const toOurs = (reference: string): RequestParts => ({ path: { id: ours.guardrailId }, json: body(reference) });
      const ofTheirs = (id: string): RequestParts => ({ path: { id }, json: body(foreign) });
      return {
        ...otherGuardrail(theirs, body(own)),
        'what is theirs': otherId(404, toOurs, foreign, missing),
        'both theirs': otherId(404, ofTheirs, theirs.guardrailId, UNKNOWN_UUID),
      };
    },
  };
}

/** A new guardrail. @returns its id */
async function newGuardrail(organization: SampleOrganization): Promise<string> {
  return (await organization.app.factory.guardrail(organization)).id;
}

/** What reads or deletes one guardrail, or lists what is assigned to it. */
function guardrailRow(row: Omit<OperationRow, 'callers' | 'otherOrganization' | 'success'>): OperationRow {
  const permission = row.method === 'GET' ? 'guardrails_read' : 'guardrails_write';
  return {
    ...row,
    callers: MANAGEMENT_KEYS,
    permission,
    success: 200,
    otherOrganization: (_, theirs) => otherGuardrail(theirs),
  };
}

/** The operations of guardrails. */
export const GUARDRAILS: OperationRows = {
  bulkAssignKeysToGuardrail: bulkRow('keys', false, {
    auditActions: ['guardrail.assign_keys'],
  }),
  bulkAssignMembersToGuardrail: bulkRow('members', false, {
    auditActions: ['guardrail.assign_members'],
  }),
  bulkUnassignKeysFromGuardrail: bulkRow('keys', true, {
    auditActions: ['guardrail.unassign_keys'],
  }),
  bulkUnassignMembersFromGuardrail: bulkRow('members', true, {
    auditActions: ['guardrail.unassign_members'],
  }),
  createGuardrail: {
    method: 'POST',
    path: '/guardrails',
    callers: MANAGEMENT_KEYS,
    permission: 'guardrails_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403],
    auditActions: ['guardrail.create'],
    insertsInto: 'guardrails',
    request: () => ({ json: { name: 'Everything', content_filters: [FILTER] } }),
    otherOrganization: (_, theirs) => {
      const inWorkspace = (workspace_id: string): RequestParts => ({ json: { name: 'Intruder', workspace_id } });
      return {
        'in a workspace': otherId(400, inWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
        'in the default workspace': otherId(400, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
        'in a workspace in capitals': otherId(400, inWorkspace, theirs.workspaceId.toUpperCase(), UNKNOWN_UUID),
      };
    },
  },
  deleteGuardrail: guardrailRow({
    method: 'DELETE',
    decidesIdentity: false,
    path: '/guardrails/{id}',
    errors: [400, 404],
    auditActions: ['guardrail.delete'],
    request: async (organization) => ({ path: { id: await newGuardrail(organization) } }),
  }),
  evaluateGuardrail: {
    method: 'POST',
    path: '/guardrails/{id}/evaluate',
    callers: MANAGEMENT_KEYS,
    permission: 'guardrails_read',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 404, 413, 429],
    isBeyondContract: true,
    request: ({ guardrailId: id, apiKeyHash }) => ({
      path: { id },
      json: { request: ECHO_CHAT, api_key_hash: apiKeyHash },
    }),
    otherOrganization: (ours, theirs) => {
      const trying = (holder: object): RequestParts => ({
        path: { id: ours.guardrailId },
        json: { request: ECHO_CHAT, ...holder },
      });
      const ofKey = (api_key_hash: string): RequestParts => trying({ api_key_hash });
      const ofMember = (user_id: string): RequestParts => trying({ user_id });
      const inWorkspace = (workspace_id: string): RequestParts => trying({ workspace_id });
      const changed = { request: ECHO_CHAT, guardrail: { name: 'Intruder' } };
      return {
        ...otherGuardrail(theirs, { request: ECHO_CHAT }),
        ...Object.fromEntries(
          Object.entries(otherGuardrail(theirs, changed)).map(([name, one]) => [`${name}, with changes`, one]),
        ),
        'of a key': otherId(404, ofKey, theirs.apiKeyHash, '0'.repeat(64)),
        'of a member': otherId(404, ofMember, theirs.memberId, UNKNOWN_USER),
        'in a workspace': otherId(400, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
      };
    },
  },
  evaluateGuardrailDraft: {
    method: 'POST',
    path: '/guardrails/evaluate',
    callers: MANAGEMENT_KEYS,
    permission: 'guardrails_read',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 404, 413, 429],
    isBeyondContract: true,
    request: ({ apiKeyHash }) => ({
      json: { request: ECHO_CHAT, guardrail: { name: 'Draft' }, api_key_hash: apiKeyHash },
    }),
    otherOrganization: (_, theirs) => {
      const trying = (holder: object, guardrail: object = {}): RequestParts => ({
        json: { request: ECHO_CHAT, guardrail: { name: 'Draft', ...guardrail }, ...holder },
      });
      const ofKey = (api_key_hash: string): RequestParts => trying({ api_key_hash });
      const ofMember = (user_id: string): RequestParts => trying({ user_id });
      const inWorkspace = (workspace_id: string): RequestParts => trying({ workspace_id });
      const guardrailInWorkspace = (workspace_id: string): RequestParts => trying({}, { workspace_id });
      return {
        'of a key': otherId(404, ofKey, theirs.apiKeyHash, '0'.repeat(64)),
        'of a member': otherId(404, ofMember, theirs.memberId, UNKNOWN_USER),
        'in a workspace': otherId(400, inWorkspace, theirs.workspaceId, UNKNOWN_UUID),
        'with a guardrail in a workspace': otherId(400, guardrailInWorkspace, theirs.workspaceId, UNKNOWN_UUID),
      };
    },
  },
  getEffectiveGuardrails: {
    method: 'GET',
    path: '/guardrails/effective',
    callers: MANAGEMENT_KEYS,
    permission: 'guardrails_read',
    success: 200,
    errors: [400, 403, 404],
    isBeyondContract: true,
    request: ({ apiKeyHash, guardrailId }) => ({ query: `key_hash=${apiKeyHash}&with=${guardrailId}` }),
    otherOrganization: (ours, theirs) => {
      const ofKey = (hash: string): RequestParts => ({ query: `key_hash=${hash}` });
      const trying = (id: string): RequestParts => ({ query: `key_hash=${ours.apiKeyHash}&with=${id}` });
      return {
        'of a key': otherId(404, ofKey, theirs.apiKeyHash, '0'.repeat(64)),
        'with a guardrail': otherId(404, trying, theirs.guardrailId, UNKNOWN_UUID),
        'with a default guardrail': otherId(404, trying, theirs.defaultGuardrailId, UNKNOWN_UUID),
      };
    },
  },
  listPermittedMcpTools: {
    method: 'GET',
    path: '/guardrails/effective/mcp-tools',
    callers: MANAGEMENT_KEYS,
    permission: 'guardrails_read',
    success: 200,
    errors: [400, 403, 404],
    isBeyondContract: true,
    request: ({ apiKeyHash, guardrailId }) => ({ query: `key_hash=${apiKeyHash}&with=${guardrailId}` }),
    otherOrganization: (ours, theirs) => {
      const ofKey = (hash: string): RequestParts => ({ query: `key_hash=${hash}` });
      const trying = (id: string): RequestParts => ({ query: `key_hash=${ours.apiKeyHash}&with=${id}` });
      return {
        'of a key': otherId(404, ofKey, theirs.apiKeyHash, '0'.repeat(64)),
        'with a guardrail': otherId(404, trying, theirs.guardrailId, UNKNOWN_UUID),
      };
    },
  },
  getGuardrail: guardrailRow({
    method: 'GET',
    path: '/guardrails/{id}',
    errors: [404],
    request: ({ guardrailId: id }) => ({ path: { id } }),
  }),
  listGuardrailKeyAssignments: guardrailRow({
    method: 'GET',
    path: '/guardrails/{id}/assignments/keys',
    errors: [404],
    request: ({ guardrailId: id }) => ({ path: { id } }),
  }),
  listGuardrailMemberAssignments: guardrailRow({
    method: 'GET',
    path: '/guardrails/{id}/assignments/members',
    errors: [404],
    request: ({ guardrailId: id }) => ({ path: { id } }),
  }),
  listGuardrails: {
    method: 'GET',
    path: '/guardrails',
    callers: MANAGEMENT_KEYS,
    permission: 'guardrails_read',
    success: 200,
    errors: [400],
    request: () => ({}),
    otherOrganization: (_, theirs) => {
      const ofWorkspace = (id: string): RequestParts => ({ query: `workspace_id=${id}` });
      return {
        'of a workspace': otherId(200, ofWorkspace, theirs.otherWorkspaceId, UNKNOWN_UUID),
        'of the default workspace': otherId(200, ofWorkspace, theirs.workspaceId, UNKNOWN_UUID),
      };
    },
  },
  listKeyAssignments: {
    method: 'GET',
    path: '/guardrails/assignments/keys',
    callers: MANAGEMENT_KEYS,
    permission: 'guardrails_read',
    success: 200,
    errors: [],
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  listMemberAssignments: {
    method: 'GET',
    path: '/guardrails/assignments/members',
    callers: MANAGEMENT_KEYS,
    permission: 'guardrails_read',
    success: 200,
    errors: [],
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  listModelsUser: {
    method: 'GET',
    path: '/models/user',
    callers: MANAGEMENT_AND_API_KEYS,
    success: 200,
    errors: [304, 403],
    request: () => ({}),
    otherOrganization: (ours) => withoutIds({ key: ours.apiKey }),
  },
  updateGuardrail: {
    method: 'PATCH',
    path: '/guardrails/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'guardrails_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 404],
    auditActions: ['guardrail.update'],
    request: async (organization) => ({
      path: { id: await newGuardrail(organization) },
      json: { content_filters: [FILTER] },
    }),
    otherOrganization: (_, theirs) => otherGuardrail(theirs, { name: 'Intruder' }),
  },
};

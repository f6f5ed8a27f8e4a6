import { randomUUID } from 'node:crypto';
import type { Tenant } from '../support/resources/tenant.js';
import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import {
  MANAGEMENT_KEYS,
  type OperationRow,
  type OperationRows,
  otherId,
  type OtherOrganizationCases,
  type RequestParts,
  UNKNOWN_SLUG,
  UNKNOWN_USER,
  withoutIds,
} from './operation-row.js';
import type { SampleOrganization } from './sample-organization.js';

/** Operations on one workspace with another organization's. @param parts what the request has besides */
function otherWorkspace(theirs: Tenant, { path, ...parts }: RequestParts = {}): OtherOrganizationCases {
  const byId = (id: string): RequestParts => ({ ...parts, path: { ...path, id } });
  return {
    'of a workspace': otherId(404, byId, theirs.otherWorkspaceId, UNKNOWN_UUID),
    'of a workspace by slug': otherId(404, byId, theirs.otherWorkspaceSlug, UNKNOWN_SLUG),
    'of the default workspace': otherId(404, byId, theirs.workspaceId, UNKNOWN_UUID),
  };
}

/** An operation on one workspace; `parts` are what its requests with another organization's have besides the id. */
function workspaceRow(
  parts: RequestParts,
  row: Omit<OperationRow, 'callers' | 'otherOrganization' | 'success'>,
): OperationRow {
  return {
    ...row,
    callers: MANAGEMENT_KEYS,
    permission: row.method === 'GET' ? 'workspaces_read' : 'workspaces_write',
    success: 200,
    otherOrganization: (_, theirs) => otherWorkspace(theirs, parts),
  };
}

/** An operation that adds many members to a workspace, or removes them from it. */
function membersRow(verb: 'add' | 'remove', row: Pick<OperationRow, 'auditActions' | 'request'>): OperationRow {
  return {
    ...row,
    method: 'POST',
    path: `/workspaces/{id}/members/${verb}`,
    callers: MANAGEMENT_KEYS,
    permission: 'workspaces_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 404],
    otherOrganization: (ours, theirs) => {
      const ofTheirs = (userId: string): RequestParts => ({
        path: { id: ours.otherWorkspaceId },
        json: { user_ids: [userId] },
      });
      return {
        ...otherWorkspace(theirs, { json: { user_ids: [ours.memberId] } }),
        'of a user': otherId(verb === 'add' ? 400 : 200, ofTheirs, theirs.memberId, UNKNOWN_USER),
      };
    },
  };
}

/** A new workspace with a monthly budget. @returns its id */
async function newWorkspace({ app, ...organization }: SampleOrganization): Promise<string> {
  const id = await app.factory.workspace(organization);
  await app.factory.budget(organization.organizationId, id, 'monthly', 100);
  return id;
}

/** The operations of workspaces, their budgets and their members. */
export const WORKSPACES: OperationRows = {
  bulkAddWorkspaceMembers: membersRow('add', {
    auditActions: ['workspace.add_members'],
    request: async ({ app, organizationId, workspaceOfMembers: id }) => ({
      path: { id },
      json: { user_ids: [await app.factory.member(organizationId)] },
    }),
  }),
  bulkRemoveWorkspaceMembers: membersRow('remove', {
    auditActions: ['workspace.remove_members'],
    request: async ({ app, organizationId, workspaceOfMembers: id }) => {
      const userId = await app.factory.member(organizationId);
      await app.factory.workspaceMember(organizationId, id, userId, 'member');
      return { path: { id }, json: { user_ids: [userId] } };
    },
  }),
  createWorkspace: {
    method: 'POST',
    path: '/workspaces',
    callers: MANAGEMENT_KEYS,
    permission: 'workspaces_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403],
    auditActions: ['workspace.create'],
    insertsInto: 'workspaces',
    request: () => ({ json: { name: 'Research', slug: `research-${randomUUID()}` } }),
    // A slug is taken within its own organization alone.
    otherOrganization: (_, theirs) => ({
      'with their slug': otherId(
        400,
        (slug) => ({ json: { name: '', slug } }),
        theirs.otherWorkspaceSlug,
        UNKNOWN_SLUG,
      ),
    }),
  },
  deleteWorkspace: workspaceRow(
    { query: 'confirm_default_workspace_deletion=true' },
    {
      method: 'DELETE',
      decidesIdentity: false,
      path: '/workspaces/{id}',
      errors: [400, 403, 404],
      auditActions: ['workspace.delete'],
      request: async (organization) => ({ path: { id: await organization.app.factory.workspace(organization) } }),
    },
  ),
  deleteWorkspaceBudget: workspaceRow(
    { path: { interval: 'monthly' } },
    {
      method: 'DELETE',
      decidesIdentity: false,
      path: '/workspaces/{id}/budgets/{interval}',
      errors: [400, 404],
      auditActions: ['workspace_budget.delete'],
      request: async (organization) => ({ path: { id: await newWorkspace(organization), interval: 'monthly' } }),
    },
  ),
  getWorkspace: workspaceRow(
    {},
    {
      method: 'GET',
      path: '/workspaces/{id}',
      errors: [404],
      request: ({ workspaceId: id }) => ({ path: { id } }),
    },
  ),
  getWorkspaceBudget: workspaceRow(
    { path: { interval: 'monthly' } },
    {
      method: 'GET',
      path: '/workspaces/{id}/budgets/{interval}',
      errors: [400, 404],
      request: ({ workspaceId: id }) => ({ path: { id, interval: 'lifetime' } }),
    },
  ),
  listBudgets: {
    method: 'GET',
    path: '/budgets',
    callers: MANAGEMENT_KEYS,
    permission: 'workspaces_read',
    success: 200,
    errors: [400],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: (_, theirs) => ({
      ...withoutIds(),
      'of a workspace': otherId(200, (id) => ({ query: `workspace_id=${id}` }), theirs.otherWorkspaceId, UNKNOWN_UUID),
    }),
  },
  listWorkspaceBudgets: workspaceRow(
    {},
    {
      method: 'GET',
      path: '/workspaces/{id}/budgets',
      errors: [404],
      request: ({ workspaceId: id }) => ({ path: { id } }),
    },
  ),
  listWorkspaceMembers: workspaceRow(
    {},
    {
      method: 'GET',
      path: '/workspaces/{id}/members',
      errors: [403, 404],
      request: ({ workspaceId: id }) => ({ path: { id } }),
    },
  ),
  listWorkspaces: {
    method: 'GET',
    path: '/workspaces',
    callers: MANAGEMENT_KEYS,
    permission: 'workspaces_read',
    success: 200,
    errors: [],
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  updateWorkspace: workspaceRow(
    { json: { name: 'Taken' } },
    {
      method: 'PATCH',
      decidesIdentity: false,
      path: '/workspaces/{id}',
      errors: [400, 403, 404],
      auditActions: ['workspace.update'],
      request: async (organization) => ({
        path: { id: await newWorkspace(organization) },
        json: { description: 'Everything' },
      }),
    },
  ),
  upsertWorkspaceBudget: workspaceRow(
    { path: { interval: 'monthly' }, json: { limit_usd: 1 } },
    {
      method: 'PUT',
      decidesIdentity: false,
      path: '/workspaces/{id}/budgets/{interval}',
      errors: [400, 404],
      auditActions: ['workspace_budget.create'],
      request: async (organization) => ({
        path: { id: await newWorkspace(organization), interval: 'weekly' },
        json: { limit_usd: 50 },
      }),
    },
  ),
};

import {
  UNKNOWN_SLUG,
  type Attempt,
  attempt,
  type Call,
  type Case,
  type Cases,
  sameForAll,
} from '../../support/foreign-ids.js';
import type { Tenant } from '../../support/tenants.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';

/** A call that names a workspace, in each of the ways in which it can be named. */
function ofWorkspace(call: (id: string) => Call): Case {
  return (_, theirs): Record<string, Attempt> => ({
    'of a workspace': attempt(404, call, theirs.otherWorkspaceId, UNKNOWN_UUID),
    'of a workspace by slug': attempt(404, call, theirs.otherWorkspaceSlug, UNKNOWN_SLUG),
    'of the default workspace': attempt(404, call, theirs.workspaceId, UNKNOWN_UUID),
  });
}

/** What the operations of workspaces could be told of another organization. */
export const WORKSPACES_CASES: Cases = {
  bulkAddWorkspaceMembers: (ours, theirs) => membersCases('add', ours, theirs),

  bulkRemoveWorkspaceMembers: (ours, theirs) => membersCases('remove', ours, theirs),

  listWorkspaces: () => sameForAll({ method: 'GET', path: '/workspaces' }),

  // A slug is no more taken for being another organization's.
  createWorkspace: (_, theirs) => ({
    'with their slug': {
      status: 400,
      foreign: { method: 'POST', path: '/workspaces', json: { name: '', slug: theirs.otherWorkspaceSlug } },
      missing: { method: 'POST', path: '/workspaces', json: { name: '', slug: UNKNOWN_SLUG } },
    },
  }),

  getWorkspace: ofWorkspace((id) => ({ method: 'GET', path: `/workspaces/${id}` })),

  updateWorkspace: ofWorkspace((id) => ({ method: 'PATCH', path: `/workspaces/${id}`, json: { name: 'Taken' } })),

  deleteWorkspace: ofWorkspace((id) => ({
    method: 'DELETE',
    path: `/workspaces/${id}?confirm_default_workspace_deletion=true`,
  })),

  listWorkspaceBudgets: ofWorkspace((id) => ({ method: 'GET', path: `/workspaces/${id}/budgets` })),

  getWorkspaceBudget: ofWorkspace((id) => ({ method: 'GET', path: `/workspaces/${id}/budgets/monthly` })),

  upsertWorkspaceBudget: ofWorkspace((id) => ({
    method: 'PUT',
    path: `/workspaces/${id}/budgets/monthly`,
    json: { limit_usd: 1 },
  })),

  listWorkspaceMembers: ofWorkspace((id) => ({ method: 'GET', path: `/workspaces/${id}/members` })),

  deleteWorkspaceBudget: ofWorkspace((id) => ({ method: 'DELETE', path: `/workspaces/${id}/budgets/monthly` })),
};

/** What the operations that change members could be told. */
function membersCases(verb: 'add' | 'remove', ours: Tenant, theirs: Tenant): Record<string, Attempt> {
  const to = (userId: string, id: string): Call => ({
    method: 'POST',
    path: `/workspaces/${id}/members/${verb}`,
    json: { user_ids: [userId] },
  });
  const toTheirs = (id: string): Call => to(ours.memberId, id);
  const ofTheirs = (userId: string): Call => to(userId, ours.otherWorkspaceId);
  return {
    'of a workspace': attempt(404, toTheirs, theirs.otherWorkspaceId, UNKNOWN_UUID),
    'of a workspace by slug': attempt(404, toTheirs, theirs.otherWorkspaceSlug, UNKNOWN_SLUG),
    'of the default workspace': attempt(404, toTheirs, theirs.workspaceId, UNKNOWN_UUID),
    'of a user': attempt(verb === 'add' ? 400 : 200, ofTheirs, theirs.memberId, 'user_nobody'),
  };
}

import { NotFoundError } from '../../http/errors/domain-error.js';
import type { ReasonedIssue } from '../../http/errors/issue.js';

/** The organization has no workspace of this id or slug. */
export class WorkspaceNotFound extends NotFoundError {
  constructor() {
    super('workspace_not_found');
  }
}

/** The workspace has no budget for this interval. */
export class BudgetNotFound extends NotFoundError {
  constructor() {
    super('budget_not_found');
  }
}

/** A request names a workspace that is not one of the organization's. */
export const UNKNOWN_WORKSPACE: ReasonedIssue = {
  path: 'workspace_id',
  message: 'is not a workspace of the organization',
  reason: 'workspace_not_found',
};

/** A request names no workspace, and the default one that would have been taken is deleted. */
export const NO_DEFAULT_WORKSPACE: ReasonedIssue = {
  path: 'workspace_id',
  message: 'is required, because the default workspace has been deleted',
  reason: 'default_workspace_deleted',
};

/** A request would change the members of the default workspace, which are those of the organization. */
export const IMPLICIT_MEMBERS: ReasonedIssue = {
  path: 'id',
  message: 'is the default workspace, of which everybody in the organization is a member',
  reason: 'default_workspace_members',
};

/** The default workspace was to be deleted, without a word that it is meant. */
export const DELETION_NOT_CONFIRMED: ReasonedIssue = {
  path: 'confirm_default_workspace_deletion',
  message: 'must be true, because this is the default workspace',
  reason: 'default_workspace_deletion_not_confirmed',
};

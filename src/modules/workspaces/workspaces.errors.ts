import { NotFoundError } from '../../http/errors/domain-error.js';
import type { ReasonedIssue } from '../../http/errors/issue.js';

/** The organization has no workspace of this id or slug. */
export class WorkspaceNotFound extends NotFoundError {
  constructor() {
    super('workspace_not_found');
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

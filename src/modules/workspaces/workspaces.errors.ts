import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { type ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import { defineError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';
import { UNKNOWN_USERS } from '../organizations/organizations.errors.js';

/** The organization has no workspace of this id or slug. */
export class WorkspaceNotFound extends defineError(404, 'workspace_not_found') {}

/** The workspace has no budget for this interval. */
export class BudgetNotFound extends defineError(404, 'budget_not_found') {}

/** The organization has a workspace of this slug. */
export class WorkspaceSlugTaken extends defineError(409, 'workspace_slug_taken') {}

/** Ids and slugs share a path parameter, so a slug cannot have the form of a UUID. */
export const SLUG_IS_UUID = new IssueKind('slug_is_uuid', 'must not have the form of a UUID');

/** A request names a workspace that is not one of the organization's. */
export const UNKNOWN_WORKSPACE = new IssueKind('workspace_not_found', 'is not a workspace of the organization');

/** A request names no workspace, and the default workspace is deleted. */
export const NO_DEFAULT_WORKSPACE = new IssueKind(
  'default_workspace_deleted',
  'is required, because the default workspace has been deleted',
);

/** A request would change the members of the default workspace, which are those of the organization. */
export const IMPLICIT_MEMBERS = new IssueKind(
  'default_workspace_members',
  'is the default workspace, whose members are all members of the organization',
);

/** A request would remove a member whom a SCIM group adds. */
export const SCIM_MANAGED = new IssueKind('member_is_scim_managed', 'is a member through a SCIM group mapping');

/** A request would remove a member who has active keys in the workspace. */
export const MEMBER_HAS_ACTIVE_KEYS = new IssueKind('member_has_active_keys', 'has active keys in the workspace');

/** A request would delete a workspace with active keys. */
export const WORKSPACE_HAS_ACTIVE_KEYS = new IssueKind(
  'workspace_has_active_keys',
  (active: number) => `has ${active} active ${active === 1 ? 'key' : 'keys'}`,
);

/** A deletion of the default workspace is not confirmed. */
export const DELETION_NOT_CONFIRMED = new IssueKind(
  'default_workspace_deletion_not_confirmed',
  'must be true, because this is the default workspace',
);

/** The limits of budgets do not decrease as their intervals narrow. */
export const LIMITS_NOT_DECREASING = new IssueKind(
  'budget_limits_not_decreasing',
  (relation: 'less' | 'more', interval: string, limitUsd: number) =>
    `must be ${relation} than the ${interval} limit of ${limitUsd}`,
);

/** What a violated constraint of workspaces means to the caller. */
export const WORKSPACES_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  uq_workspaces_organization_slug: () => new WorkspaceSlugTaken(),
  fk_workspace_members_member: () => BadRequestError.of([UNKNOWN_USERS.at('user_ids')]),
};

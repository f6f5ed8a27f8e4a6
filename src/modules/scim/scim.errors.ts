import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { type ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import { defineError } from '../../http/errors/define-error.js';
import { UNKNOWN_USERS } from '../organizations/organizations.errors.js';
import { WorkspaceNotFound } from '../workspaces/workspaces.errors.js';

/** The organization has no identity provider connected. */
export class ScimNotEnabled extends defineError(404, 'scim_not_enabled') {}

/** The organization has no group of this id. */
export class ScimGroupNotFound extends defineError(404, 'scim_group_not_found') {}

/** The organization has no mapping of this id. */
export class ScimGroupMappingNotFound extends defineError(404, 'scim_group_mapping_not_found') {}

/** The group is mapped to the workspace already. */
export class ScimGroupMappingExists extends defineError(409, 'scim_group_mapping_exists') {}

/** The organization has no provisioning token of this id. */
export class ProvisioningTokenNotFound extends defineError(404, 'provisioning_token_not_found') {}

/** The organization has as many live provisioning tokens as it may. */
export class TooManyProvisioningTokens extends defineError(409, 'too_many_provisioning_tokens') {}

/** The organization has no sync job of this id. */
export class ScimSyncJobNotFound extends defineError(404, 'scim_sync_job_not_found') {}

/** What a violated constraint of groups and mappings means to the caller. */
export const SCIM_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  uq_scim_group_mappings_group_workspace: () => new ScimGroupMappingExists(),
  fk_scim_group_mappings_group: () => new ScimGroupNotFound(),
  fk_scim_group_mappings_workspace: () => new WorkspaceNotFound(),
  fk_scim_group_members_member: () => BadRequestError.of([UNKNOWN_USERS.at('user_ids')]),
};

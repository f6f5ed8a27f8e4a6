import { QueryFailedError } from 'typeorm';
import {
  BadRequestError,
  ConflictError,
  type DomainError,
  NotFoundError,
  UnauthorizedError,
} from '../http/errors/domain-error.js';

/**
 * What a violated constraint means to the caller. Services check first, for a good message; a constraint decides when
 * two requests pass that check at the same time.
 */
const ERRORS_BY_CONSTRAINT: Readonly<Record<string, () => DomainError>> = {
  uq_workspaces_organization_slug: () => new ConflictError('workspace_slug_taken'),
  uq_api_keys_external_api_key_hash: () => new ConflictError('external_api_key_taken'),
  uq_scim_group_mappings_group_workspace: () => new ConflictError('scim_group_mapping_exists'),
  fk_scim_group_mappings_group: () => new NotFoundError('scim_group_not_found'),
  fk_scim_group_mappings_workspace: () => new NotFoundError('workspace_not_found'),
  // Somebody leaves the organization while being added; which one, PostgreSQL does not say.
  fk_workspace_members_member: () => invalid('user_ids', 'user_not_found', 'are not all members of the organization'),
  fk_scim_group_members_member: () => invalid('user_ids', 'user_not_found', 'are not all members of the organization'),
  fk_presets_workspace: () => new NotFoundError('workspace_not_found'),
  fk_guardrails_workspace: () =>
    invalid('workspace_id', 'workspace_not_found', 'is not a workspace of the organization'),
  fk_api_keys_workspace: () => invalid('workspace_id', 'workspace_not_found', 'is not a workspace of the organization'),
  fk_api_keys_member: () => invalid('creator_user_id', 'user_not_found', 'is not a member of the organization'),
  // The caller's own client, deleted while it exchanged a code.
  fk_api_keys_connect_client: () => new UnauthorizedError('invalid_credential'),
  // The client of the callback URL, deleted while the code was made: the next attempt finds it gone.
  fk_authorization_codes_connect_client: () => new ConflictError('connect_client_deleted'),
  fk_authorization_codes_workspace: () =>
    invalid('workspace_id', 'workspace_not_found', 'is not a workspace of the organization'),
  fk_observability_destinations_workspace: () =>
    invalid('workspace_id', 'workspace_not_found', 'is not a workspace of the organization'),
  fk_authorization_codes_member: () => invalid('user_id', 'user_not_found', 'is not a member of the organization'),
};

/**
 * The error that a violated constraint stands for.
 *
 * @param thrown whatever a database call threw
 * @returns undefined when it is no violation of a constraint, or of one that no request should be able to violate
 */
export function constraintErrorOf(thrown: unknown): DomainError | undefined {
  const cause: unknown = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  if (!(cause instanceof Error) || !('constraint' in cause) || typeof cause.constraint !== 'string') return undefined;
  return ERRORS_BY_CONSTRAINT[cause.constraint]?.();
}

function invalid(path: string, reason: string, message: string): BadRequestError {
  return new BadRequestError(reason, [{ path, message }]);
}

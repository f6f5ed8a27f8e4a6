import { QueryFailedError } from 'typeorm';
import { BadRequestError, ConflictError, type DomainError, NotFoundError } from '../http/errors/domain-error.js';

/**
 * What a violated constraint means to the caller. Services check first, for a good message; a constraint decides when
 * two requests pass that check at the same time.
 */
const ERRORS_BY_CONSTRAINT: Readonly<Record<string, () => DomainError>> = {
  uq_scim_group_mappings_group_workspace: () => new ConflictError('scim_group_mapping_exists'),
  fk_scim_group_mappings_group: () => new NotFoundError('scim_group_not_found'),
  fk_scim_group_mappings_workspace: () => new NotFoundError('workspace_not_found'),
  fk_guardrails_workspace: () =>
    invalid('workspace_id', 'workspace_not_found', 'is not a workspace of the organization'),
  fk_api_keys_workspace: () => invalid('workspace_id', 'workspace_not_found', 'is not a workspace of the organization'),
  fk_authorization_codes_workspace: () =>
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

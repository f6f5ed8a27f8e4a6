import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { type ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import { defineError, defineRetryLaterError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';
import { UNKNOWN_WORKSPACE } from '../workspaces/workspaces.errors.js';

/** The organization has no destination of this id. */
export class DestinationNotFound extends defineError(404, 'destination_not_found') {}

/** The workspace has as many destinations of the type as it may have. */
export class TooManyDestinations extends defineError(409, 'too_many_destinations') {}

/** Too many names of the organization are being looked up. */
export class TooManyHostLookups extends defineRetryLaterError(429, 'too_many_host_lookups') {}

/** Too many tests of destinations of the organization are under way. */
export class TooManyDestinationTests extends defineRetryLaterError(429, 'too_many_destination_tests') {}

/** Data would be sent to an address that is not allowed. */
export const ADDRESS_NOT_ALLOWED = new IssueKind('address_not_allowed', (message: string) => message);

/** A change would send a stored credential to another host. */
export const CREDENTIALS_REQUIRED = new IssueKind(
  'credentials_required_for_new_origin',
  'is required, because the change would send it to another host',
);

/** What a violated constraint of destinations means to the caller. */
export const OBSERVABILITY_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  fk_observability_destinations_workspace: () => BadRequestError.of([UNKNOWN_WORKSPACE.at('workspace_id')]),
};

import { BadRequestError } from '../../../api/errors/bad-request-error.js';
import { type ErrorsByConstraint } from '../../../api/errors/constraint-errors.js';
import { defineError } from '../../../api/errors/define-error.js';
import { UNKNOWN_WORKSPACE } from '../../workspaces/workspaces.errors.js';

/** The organization has no own key of this id. */
export class ProviderKeyNotFound extends defineError(404, 'provider_key_not_found') {}

/** What a violated constraint of provider keys means to the caller. */
export const OWN_KEYS_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  fk_provider_keys_workspace: () => BadRequestError.of([UNKNOWN_WORKSPACE.at('workspace_id')]),
};

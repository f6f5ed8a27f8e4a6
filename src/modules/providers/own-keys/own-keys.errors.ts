import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { type ErrorsByConstraint } from '../../../http/errors/constraint-errors.js';
import { defineError } from '../../../http/errors/define-error.js';
import { IssueKind } from '../../../http/errors/issue-kind.js';
import { UNKNOWN_WORKSPACE } from '../../workspaces/workspaces.errors.js';

/** The organization has no own key of this id. */
export class ProviderKeyNotFound extends defineError(404, 'provider_key_not_found') {}

/** Provider keys were given for another address. For a new one they have to be deleted and given again. */
export class KeysOfOtherAddress extends defineError(409, 'keys_of_other_address') {}

/** A key that is tried after the credentials of the deployment cannot forbid them. */
export const FALLBACK_WITHOUT_SHARED = new IssueKind(
  'fallback_without_shared',
  'must not be true together with is_fallback',
);

/** What a violated constraint of provider keys means to the caller. */
export const OWN_KEYS_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  fk_provider_keys_workspace: () => BadRequestError.of([UNKNOWN_WORKSPACE.at('workspace_id')]),
};

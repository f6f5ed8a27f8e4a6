import { defineError } from '../../http/errors/define-error.js';
import type { ErrorsByConstraint } from '../../http/errors/constraint-errors.js';

/** The organization has not registered a user of this name. */
export class ExternalUserNotFound extends defineError(404, 'external_user_not_found') {}

/** The organization has registered a user of this name before. */
export class ExternalUserExists extends defineError(409, 'external_user_exists') {}

/** What a violated constraint means to the caller. */
export const EXTERNAL_USERS_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  uq_external_users_external_user: () => new ExternalUserExists(),
};

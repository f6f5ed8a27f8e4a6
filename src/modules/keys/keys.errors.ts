import {
  BadRequestError,
  ForbiddenError,
  NotFoundError,
  RateLimitExceededError,
} from '../../http/errors/domain-error.js';
import type { Issue, ReasonedIssue } from '../../http/errors/issue.js';

/** No key of this hash that the caller may reach. */
export class KeyNotFound extends NotFoundError {
  constructor() {
    super('key_not_found');
  }
}

/** One credential has tried to delete too many keys. */
export class TooManyKeyDeletions extends RateLimitExceededError {
  constructor(retryAfterSeconds: number) {
    super('key_deletion_rate_limit', retryAfterSeconds);
  }
}

/** No code that the caller may exchange, or one that was exchanged already. */
export class InvalidAuthorizationCode extends ForbiddenError {
  constructor() {
    super('invalid_authorization_code');
  }
}

/** The code's time is over. */
export class AuthorizationCodeExpired extends ForbiddenError {
  constructor() {
    super('authorization_code_expired');
  }
}

/** The verifier is not the one that the code's challenge was made from. */
export class InvalidCodeVerifier extends ForbiddenError {
  constructor() {
    super('invalid_code_verifier');
  }
}

/** Verifier or method are not those that the stored challenge asks for. */
export class CodeChallengeMismatch extends BadRequestError {
  constructor(issues: readonly Issue[]) {
    super('code_challenge_mismatch', issues);
  }
}

/** The user of a request is not a member of the organization. */
export const UNKNOWN_USER: ReasonedIssue = {
  path: 'user_id',
  message: 'is not a member of the organization',
  reason: 'user_not_found',
};

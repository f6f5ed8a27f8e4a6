import {
  BadRequestError,
  ConflictError,
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

/** The caller asks for a new secret of a management key other than the one that it presents. */
export class ManagementKeyRotatesItselfOnly extends ForbiddenError {
  constructor() {
    super('management_key_rotates_itself_only');
  }
}

/** The caller enables a disabled management key of another user. */
export class ManagementKeyEnabledByOwnerOnly extends ForbiddenError {
  constructor() {
    super('management_key_enabled_by_owner_only');
  }
}

/** The hash is one that an earlier rotation has replaced: the request is probably a retry of that rotation. */
export class KeyAlreadyRotated extends ConflictError {
  constructor() {
    super('key_already_rotated');
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

/** The creator of a key to be is not a member of the organization. */
export const UNKNOWN_CREATOR: ReasonedIssue = { ...UNKNOWN_USER, path: 'creator_user_id' };

/** The organization has no Connect client of this id. */
export class ConnectClientNotFound extends NotFoundError {
  constructor() {
    super('connect_client_not_found');
  }
}

/** Connect clients have registered URLs of the callback URL's origin, but not this one. */
export const UNREGISTERED_CALLBACK_URL: ReasonedIssue = {
  path: 'callback_url',
  message: 'is of the same origin as a callback URL of a Connect client, and is none of those that are registered',
  reason: 'callback_url_not_registered',
};

/** An authorization code names no workspace, and the default one that its key would be in is deleted. */
export const NO_WORKSPACE_FOR_KEY: ReasonedIssue = {
  path: 'code',
  message: 'is for a key in the default workspace, which has been deleted',
  reason: 'default_workspace_deleted',
};

import { SECRET_PREFIXES } from '../../auth/principal.js';
import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { type ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import { defineError, defineRetryLaterError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';
import { InvalidCredential } from '../../http/errors/request.errors.js';
import { UNKNOWN_USER } from '../organizations/organizations.errors.js';
import { UNKNOWN_WORKSPACE } from '../workspaces/workspaces.errors.js';

/** The caller can reach no key of this hash. */
export class KeyNotFound extends defineError(404, 'key_not_found') {}

/** The caller asks for a new secret of a management key other than the one that it presents. */
export class ManagementKeyRotatesItselfOnly extends defineError(403, 'management_key_rotates_itself_only') {}

/** A change would give a management key permissions that it does not have; `metadata.added` names them. */
export class ScopesOnlyNarrowed extends defineError(403, 'management_key_scopes_only_narrowed') {
  /** @param added the permissions */
  constructor(added: readonly string[]) {
    super({ added });
  }
}

/** A management key frees itself from addresses that it is bound to. */
export class ManagementKeyNarrowsItselfOnly extends defineError(403, 'management_key_narrows_itself_only') {}

/** The caller enables a disabled management key of another user. */
export class ManagementKeyEnabledByOwnerOnly extends defineError(403, 'management_key_enabled_by_owner_only') {}

/** A management key acts as its owner, with the owner's rights, and so stays with them. */
export class ManagementKeyNotTransferable extends defineError(403, 'management_key_not_transferable') {}

/** An earlier rotation has replaced the hash: the request is probably a retry of that rotation. */
export class KeyAlreadyRotated extends defineError(409, 'key_already_rotated') {}

/** Another key has this external secret. */
export class ExternalApiKeyTaken extends defineError(409, 'external_api_key_taken') {}

/** One credential has tried to delete too many keys. */
export class TooManyKeyDeletions extends defineRetryLaterError(429, 'key_deletion_rate_limit') {}

/** A request names a key that the organization does not have. */
export const UNKNOWN_KEY = new IssueKind('key_not_found', 'is not the hash of an API key of the organization');

/** A text is no range of client addresses. */
export const INVALID_ADDRESS_RANGE = new IssueKind('invalid_address_range', (message: string) => message);

/** An external secret looks like one of our own credentials. */
export const RESERVED_PREFIX = new IssueKind(
  'reserved_api_key_prefix',
  `must not begin like a credential that this service makes (${Object.values(SECRET_PREFIXES)
    .map((prefix) => `${prefix}-gate-`)
    .join(', ')})`,
);

/** What a violated constraint of keys means to the caller. */
export const KEYS_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  uq_api_keys_external_api_key_hash: () => new ExternalApiKeyTaken(),
  fk_api_keys_workspace: () => BadRequestError.of([UNKNOWN_WORKSPACE.at('workspace_id')]),
  fk_api_keys_member: () => BadRequestError.of([UNKNOWN_USER.at('creator_user_id')]),
  // The caller's own client, deleted while it exchanged a code.
  fk_api_keys_connect_client: () => new InvalidCredential(),
};

/** A secret that a new key is to have is none of an API key of the organization. */
export const INVALID_KEY_SECRET = new IssueKind(
  'invalid_key_secret',
  'is no secret of an API key of this organization: gatehouse key-secret makes one',
);

/** A secret that a key has or had. */
export const KEY_SECRET_USED = new IssueKind('key_secret_used', 'belongs or has belonged to a key');

import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { type ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import { defineError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';
import { UNKNOWN_USER } from '../organizations/organizations.errors.js';
import { UNKNOWN_WORKSPACE } from '../workspaces/workspaces.errors.js';

/** The caller can exchange no such code, or it was exchanged already. */
export class InvalidAuthorizationCode extends defineError(403, 'invalid_authorization_code') {}

/** The code's time is over. */
export class AuthorizationCodeExpired extends defineError(403, 'authorization_code_expired') {}

/** The challenge of the code does not match the verifier. */
export class InvalidCodeVerifier extends defineError(403, 'invalid_code_verifier') {}

/** The organization has no Connect client of this id. */
export class ConnectClientNotFound extends defineError(404, 'connect_client_not_found') {}

/** The Connect client of the callback URL was deleted while the code was created; the next attempt does not find it. */
export class ConnectClientDeleted extends defineError(409, 'connect_client_deleted') {}

/** Verifier or method are not those that the stored challenge asks for. */
export const CODE_CHALLENGE_MISMATCH = new IssueKind('code_challenge_mismatch', (message: string) => message);

/** Connect clients have registered URLs of the callback URL's origin, but not this one. */
export const UNREGISTERED_CALLBACK_URL = new IssueKind(
  'callback_url_not_registered',
  'has the origin of a Connect client, but is not one of its registered callback URLs',
);

/** An authorization code names no workspace, and the default one that its key would be in is deleted. */
export const NO_WORKSPACE_FOR_KEY = new IssueKind(
  'default_workspace_deleted',
  'is for a key in the default workspace, which has been deleted',
);

/** What a violated constraint of Connect clients and authorization codes means to the caller. */
export const OAUTH_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  fk_authorization_codes_connect_client: () => new ConnectClientDeleted(),
  fk_authorization_codes_workspace: () => BadRequestError.of([UNKNOWN_WORKSPACE.at('workspace_id')]),
  fk_authorization_codes_member: () => BadRequestError.of([UNKNOWN_USER.at('user_id')]),
};

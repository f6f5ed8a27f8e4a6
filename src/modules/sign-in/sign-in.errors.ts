import type { ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import { defineError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** The organization has no identity provider of this id. */
export class SignInConnectionNotFound extends defineError(404, 'sign_in_connection_not_found') {}

/** The organization has this client of the issuer already. */
export class SignInConnectionExists extends defineError(409, 'sign_in_connection_exists') {}

/** The issuer may not be asked. */
export const INVALID_ISSUER = new IssueKind('invalid_issuer', (message: string) => message);

/** The scopes leave out the one that makes it a sign-in. */
export const OPENID_SCOPE_MISSING = new IssueKind('openid_scope_missing', 'must have openid among them');

/** One of two fields that need each other. */
export const ROLE_CLAIM_INCOMPLETE = new IssueKind(
  'role_claim_incomplete',
  'must be given together with the other one of role_claim and admin_values',
);

/** The member has no such identity. */
export class MemberIdentityNotFound extends defineError(404, 'member_identity_not_found') {}

/** Who it is at the issuer is linked to a member already. */
export class MemberIdentityExists extends defineError(409, 'member_identity_exists') {}

/** The organization has no such member. */
export class SignInMemberNotFound extends defineError(404, 'member_not_found') {}

/** What a violated constraint of sign-in means to the caller. */
export const SIGN_IN_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  uq_sign_in_connections_client: () => new SignInConnectionExists(),
  uq_member_identities_subject: () => new MemberIdentityExists(),
  fk_member_identities_member: () => new SignInMemberNotFound(),
};

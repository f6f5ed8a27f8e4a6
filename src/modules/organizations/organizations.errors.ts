import { defineError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** A request names a user who is not a member of the organization. */
export const UNKNOWN_USER = new IssueKind('user_not_found', 'is not a member of the organization');

/** A request names users who are not all members, and PostgreSQL does not say which one: a user leaves the organization while being added. */
export const UNKNOWN_USERS = new IssueKind('user_not_found', 'are not all members of the organization');

/** The organization has no member of this id. */
export class OrganizationMemberNotFound extends defineError(404, 'member_not_found') {}

/** The member has ended, and does not come back. */
export class MemberEnded extends defineError(409, 'member_ended') {}

/** An active member is not erased: a deactivation comes first, which can be undone. */
export class MemberIsActive extends defineError(409, 'member_is_active') {}

/** A person without an email address. */
export const EMAIL_REQUIRED = new IssueKind('invalid_parameters', 'is required for a person');

/** Another member of the organization has this address. */
export class MemberEmailTaken extends defineError(409, 'member_email_taken') {}

import { defineError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** A request names a user who is not a member of the organization. */
export const UNKNOWN_USER = new IssueKind('user_not_found', 'is not a member of the organization');

/** The same of several users, where PostgreSQL does not say which one: a user leaves the organization while being added. */
export const UNKNOWN_USERS = new IssueKind('user_not_found', 'are not all members of the organization');

/** Another member of the organization has this address. */
export class MemberEmailTaken extends defineError(409, 'member_email_taken') {}

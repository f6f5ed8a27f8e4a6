import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';

/** A request names a user who is not a member of the organization. */
export function unknownMember(field: string, index: number): ReasonedIssue {
  return { path: joinPath(field, index), message: 'is not a member of the organization', reason: 'user_not_found' };
}

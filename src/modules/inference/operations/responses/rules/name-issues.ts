import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';
import { codePointsOf } from '../../../../../http/validation/constraints.js';

/** The maximum length of the name of a function or a schema, in characters. */
const MAXIMUM_NAME_LENGTH = 64;

/** Checks the name of a function or a schema. @param path of what has the name */
export function nameIssues(name: unknown, path: string): IssueWithReason[] {
  if (typeof name === 'string' && name !== '' && codePointsOf(name) <= MAXIMUM_NAME_LENGTH) return [];
  return [{ path: joinPath(path, 'name'), message: `must be a text of 1 to ${MAXIMUM_NAME_LENGTH} characters` }];
}

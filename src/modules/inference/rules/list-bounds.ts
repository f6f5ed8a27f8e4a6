import type { IssueWithReason } from '../../../http/errors/issue.js';
import { isObject } from '../../../http/validation/constraints.js';

/** The most calls of tools in one message of an assistant (docs/limits.md#lists-of-a-request). */
export const MOST_CALLS = 2_000;

/** The most details of reasoning in one message: a stream gives one for each piece of a thought, and clients keep them as they came. */
export const MOST_DETAILS = 10_000;

/** The most sources that one message, or one text of it, cites. */
export const MOST_CITATIONS = 1_000;

/** The most names that an object of a schema requires. */
export const MOST_REQUIRED = 1_000;

/** Checks that a list is no longer than it may be. What is no list is checked elsewhere. */
export function lengthIssues(list: unknown, path: string, most: number): IssueWithReason[] {
  return Array.isArray(list) && list.length > most ? [{ path, message: `must NOT have more than ${most} items` }] : [];
}

/** Checks that no object of a schema requires more names than it may. @param path of the schema, which may be any value */
export function requiredIssues(schema: unknown, path: string): IssueWithReason[] {
  return requiresTooMuch(schema)
    ? [{ path, message: `must NOT have more than ${MOST_REQUIRED} items in required` }]
    : [];
}

function requiresTooMuch(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(requiresTooMuch);
  if (!isObject(schema)) return false;
  const { required } = schema;
  if (Array.isArray(required) && required.length > MOST_REQUIRED) return true;
  return Object.values(schema).some((part) => typeof part === 'object' && requiresTooMuch(part));
}

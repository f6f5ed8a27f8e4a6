import type { IssueWithReason } from '../errors/issue.js';
import { FIELD_TOO_LARGE } from '../errors/request.errors.js';
import { codePointsOf } from '../validation/constraints.js';
import type { BodyRule } from '../validation/rules.js';

/**
 * Creates a rule that limits the size of a field as JSON.
 *
 * @param maximum in bytes of UTF-8, without white space
 */
export function atMostInJson(field: string, maximum: number): BodyRule {
  return (body) => (body[field] === undefined ? [] : jsonSizeIssues(field, body[field], maximum));
}

/** Checks the size of a value as JSON. @param maximum in bytes of UTF-8, without white space */
export function jsonSizeIssues(path: string, value: unknown, maximum: number): IssueWithReason[] {
  const size = jsonSize(value);
  return size <= maximum ? [] : [FIELD_TOO_LARGE.at(path, maximum, 'bytes in JSON', size)];
}

/**
 * Checks the total length of several texts.
 *
 * @param texts the texts of the field
 * @param maximum in code points
 */
export function totalLengthIssues(path: string, texts: readonly string[], maximum: number): IssueWithReason[] {
  const length = texts.reduce((sum, text) => sum + codePointsOf(text), 0);
  return length <= maximum ? [] : [FIELD_TOO_LARGE.at(path, maximum, 'characters in all', length)];
}

/**
 * Computes the size of a value as JSON without white space, in bytes of UTF-8. It is not recursive, so that deep nesting
 * cannot overflow the stack, and does not create the JSON text.
 *
 * @param value parsed JSON
 */
export function jsonSize(value: unknown): number {
  let bytes = 0;
  const rest: unknown[] = [value];
  // Each part that is removed from the list adds its own parts.
  while (rest.length > 0) {
    const part = rest.pop();
    if (typeof part !== 'object' || part === null) {
      bytes += sizeOfScalar(part);
      continue;
    }
    const names = Array.isArray(part) ? [] : Object.keys(part);
    const parts: unknown[] = Array.isArray(part) ? part : Object.values(part);
    // The brackets, the commas between the parts, and for objects each name with its colon.
    bytes += 2 + Math.max(parts.length - 1, 0);
    for (const name of names) bytes += sizeOfScalar(name) + 1;
    for (const inner of parts) rest.push(inner);
  }
  return bytes;
}

function sizeOfScalar(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

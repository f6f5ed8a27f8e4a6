import type { ReasonedIssue } from '../errors/issue.js';
import { jsonSize } from './json-size.js';
import type { Rule } from './rules.js';

/** The reason of a field that is larger as a whole than what is stored of it (docs/api-design.md). */
const REASON = 'field_too_large';

/**
 * A rule: a field of a body has at most so many bytes in JSON.
 *
 * @param maximum in bytes of UTF-8, without white space
 */
export function atMostInJson(field: string, maximum: number): Rule {
  return (body) => (body[field] === undefined ? [] : jsonSizeFaults(field, body[field], maximum));
}

/** The fault of a value that is larger in JSON than it may be. @param maximum in bytes of UTF-8, without white space */
export function jsonSizeFaults(path: string, value: unknown, maximum: number): ReasonedIssue[] {
  const size = jsonSize(value);
  if (size <= maximum) return [];
  return [{ path, message: `must not have more than ${maximum} bytes in JSON, and has ${size}`, reason: REASON }];
}

/**
 * The fault of texts that are longer together than they may be.
 *
 * @param texts what of the field is counted
 * @param maximum in code points
 */
export function totalLengthFaults(path: string, texts: readonly string[], maximum: number): ReasonedIssue[] {
  const length = texts.reduce((sum, text) => sum + codePointsOf(text), 0);
  if (length <= maximum) return [];
  return [{ path, message: `must not have more than ${maximum} characters in all, and has ${length}`, reason: REASON }];
}

function codePointsOf(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    // A character outside the basic plane is two code units, of which the first is one of these.
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) pairs += 1;
  }
  return text.length - pairs;
}

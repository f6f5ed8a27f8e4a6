import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';
import { isObject } from '../../../../../http/validation/constraints.js';

/** An object of a request whose fields are checked by hand. */
export type Body = Readonly<Record<string, unknown>>;

/** Finds what is wrong with the value at a path. */
export type Check = (value: unknown, path: string) => IssueWithReason[];

/** A text. */
export const text: Check = (value, path) => (typeof value === 'string' ? [] : [{ path, message: 'must be string' }]);

/** An object with any fields. */
export const object: Check = (value, path) => (isObject(value) ? [] : [{ path, message: 'must be object' }]);

/** true or false. */
export const truth: Check = (value, path) => (typeof value === 'boolean' ? [] : [{ path, message: 'must be boolean' }]);

/** Lets a field be absent or null. */
export function optional(check: Check): Check {
  return (value, path) => (value === undefined || value === null ? [] : check(value, path));
}

/** A text of these. */
export function oneOf(values: readonly string[]): Check {
  return (value, path) =>
    typeof value === 'string' && values.includes(value)
      ? []
      : [{ path, message: `must be one of: ${values.join(', ')}` }];
}

/** An object with these fields; it may have others. */
export function fields(checks: Readonly<Record<string, Check>>): Check {
  return (value, path) =>
    isObject(value)
      ? Object.entries(checks).flatMap(([name, check]) => check(value[name], joinPath(path, name)))
      : object(value, path);
}

/** Checks each item of a list. */
export function list(check: Check): Check {
  return (value, path) =>
    Array.isArray(value)
      ? value.flatMap((item: unknown, index) => check(item, joinPath(path, index)))
      : [{ path, message: 'must be array' }];
}

/**
 * An object of one of several kinds, by its field `type`.
 *
 * @param isOther whether an object of another kind, which no check is about, may stand there
 */
export function byType(
  kinds: Readonly<Record<string, Check>>,
  isOther: (type: string) => boolean = () => false,
): Check {
  const type = oneOf(Object.keys(kinds));
  return (value, path) => {
    if (!isObject(value)) return object(value, path);
    if (typeof value.type === 'string' && isOther(value.type)) return [];
    const issues = type(value.type, joinPath(path, 'type'));
    return issues.length > 0 ? issues : kinds[String(value.type)]!(value, path);
  };
}

import { type Issue, joinPath } from '../errors/issue.js';

const NUL_ISSUE = 'must not contain a NUL character';
const SURROGATE_ISSUE = 'must not contain a lone surrogate';

/**
 * Finds characters that PostgreSQL cannot store or JSON cannot represent: NUL characters and lone surrogates, in strings and
 * field names.
 *
 * @param value of bounded depth (json-bounds.ts)
 */
export function inspectText(value: unknown): Issue[] {
  const issues: Issue[] = [];
  inspect(value, [], issues);
  return issues;
}

/** @param path the fields and indexes that lead to the value */
function inspect(value: unknown, path: (string | number)[], issues: Issue[]): void {
  if (typeof value === 'string') {
    const issue = textIssue(value);
    if (issue !== undefined) issues.push({ path: joined(path), message: issue });
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) inspectAt(index, item, path, issues);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      const issue = textIssue(name);
      if (issue === undefined) inspectAt(name, field, path, issues);
      else issues.push({ path: joined(path), message: `has a field whose name ${issue}` });
    }
  }
}

function inspectAt(place: string | number, value: unknown, path: (string | number)[], issues: Issue[]): void {
  path.push(place);
  inspect(value, path, issues);
  path.pop();
}

function joined(path: readonly (string | number)[]): string {
  return path.reduce<string>((all, place) => joinPath(all, place), '');
}

function textIssue(text: string): string | undefined {
  if (text.includes('\u0000')) return NUL_ISSUE;
  if (!text.isWellFormed()) return SURROGATE_ISSUE;
  return undefined;
}

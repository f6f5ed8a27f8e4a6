import { type Issue, joinPath } from '../errors/issue.js';

/**
 * Finds characters that PostgreSQL cannot store or JSON cannot represent: NUL characters and lone surrogates, in strings and
 * field names.
 *
 * @param value of bounded depth (json-bounds.ts)
 */
export function inspectText(value: unknown): Issue[] {
  const issues: Issue[] = [];

  const visit = (current: unknown, path: string): void => {
    if (typeof current === 'string') {
      const issue = textIssue(current);
      if (issue !== undefined) issues.push({ path, message: issue });
    } else if (Array.isArray(current)) {
      for (const [index, item] of current.entries()) visit(item, joinPath(path, index));
    } else if (typeof current === 'object' && current !== null) {
      for (const [name, item] of Object.entries(current)) {
        const issue = textIssue(name);
        if (issue === undefined) visit(item, joinPath(path, name));
        else issues.push({ path, message: `has a field whose name ${issue}` });
      }
    }
  };

  visit(value, '');
  return issues;
}

function textIssue(text: string): string | undefined {
  if (text.includes('\u0000')) return 'must not contain a NUL character';
  if (!text.isWellFormed()) return 'must not contain a lone surrogate';
  return undefined;
}

import { type Issue, joinPath } from '../errors/issue.js';

/**
 * Finds what PostgreSQL cannot store and JSON cannot mean: NUL characters and lone surrogates, in strings and in names
 * of fields.
 *
 * @param value of bounded depth (json-bounds.ts)
 */
export function inspectText(value: unknown): Issue[] {
  const issues: Issue[] = [];

  const visit = (current: unknown, path: string): void => {
    if (typeof current === 'string') {
      const fault = textFault(current);
      if (fault !== undefined) issues.push({ path, message: fault });
    } else if (Array.isArray(current)) {
      for (const [index, item] of current.entries()) visit(item, joinPath(path, index));
    } else if (typeof current === 'object' && current !== null) {
      for (const [name, item] of Object.entries(current)) {
        const fault = textFault(name);
        if (fault === undefined) visit(item, joinPath(path, name));
        else issues.push({ path, message: `has a field whose name ${fault}` });
      }
    }
  };

  visit(value, '');
  return issues;
}

function textFault(text: string): string | undefined {
  if (text.includes('\u0000')) return 'must not contain a NUL character';
  if (!text.isWellFormed()) return 'must not contain a lone surrogate';
  return undefined;
}

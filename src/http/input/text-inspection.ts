import { type Issue, joinPath } from '../errors/issue.js';

/** Deeper than any document of the interface; a limit, so that a deeply nested body cannot exhaust the stack. */
const MAXIMUM_DEPTH = 64;

/** What a look at every string of a value found. */
export interface TextInspection {
  readonly issues: readonly Issue[];
  /** How many values the value holds, itself included: a measure of what naming every fault can cost. */
  readonly values: number;
}

/**
 * Finds what PostgreSQL cannot store and JSON cannot mean: NUL characters and lone surrogates, in strings and in names
 * of fields, and nesting beyond any use.
 */
export function inspectText(value: unknown): TextInspection {
  const issues: Issue[] = [];
  let values = 0;

  const visit = (current: unknown, path: string, depth: number): void => {
    values += 1;
    if (typeof current === 'string') {
      const fault = textFault(current);
      if (fault !== undefined) issues.push({ path, message: fault });
    } else if (typeof current === 'object' && current !== null) {
      if (depth === MAXIMUM_DEPTH) {
        issues.push({ path, message: `must not be nested deeper than ${MAXIMUM_DEPTH} levels` });
        return;
      }
      if (Array.isArray(current)) {
        for (const [index, item] of current.entries()) visit(item, joinPath(path, index), depth + 1);
        return;
      }
      for (const [name, item] of Object.entries(current)) {
        const fault = textFault(name);
        if (fault === undefined) visit(item, joinPath(path, name), depth + 1);
        else issues.push({ path, message: `has a field whose name ${fault}` });
      }
    }
  };

  visit(value, '', 0);
  return { issues, values };
}

function textFault(text: string): string | undefined {
  if (text.includes('\u0000')) return 'must not contain a NUL character';
  if (!text.isWellFormed()) return 'must not contain a lone surrogate';
  return undefined;
}

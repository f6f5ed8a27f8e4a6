import { type IssueWithReason, joinPath } from '../errors/issue.js';

interface Container {
  readonly path: string;
  readonly value: object;
}

/** A rule for bodies and documents whose fields may have any name: their numbers must be finite, so that JSON can represent them. */
export function finiteNumbers(body: object): IssueWithReason[] {
  const issues: IssueWithReason[] = [];
  const containers: Container[] = [{ path: '', value: body }];
  // The list grows while it is iterated.
  for (const { path, value } of containers) {
    for (const [name, part] of partsOf(value)) {
      if (typeof part === 'object' && part !== null) containers.push({ path: joinPath(path, name), value: part });
      else if (typeof part === 'number' && !Number.isFinite(part)) {
        issues.push({ path: joinPath(path, name), message: 'must be a finite number' });
      }
    }
  }
  return issues;
}

function partsOf(value: object): readonly (readonly [string | number, unknown])[] {
  return Array.isArray(value) ? value.map((part: unknown, index) => [index, part] as const) : Object.entries(value);
}

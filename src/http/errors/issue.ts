/** One issue of a request: where it is and what is wrong there. */
export interface Issue {
  /** The field as the caller wrote it, for example `content_filters[0].pattern`; empty for the whole body. */
  readonly path: string;
  readonly message: string;
}

/** An issue with its own `reason`; without one the reason of the error is `invalid_parameters` (docs/interface/errors.md#reasons). */
export interface IssueWithReason extends Issue {
  readonly reason?: string;
}

/** The path of a field or of a list item inside another path. */
export function joinPath(parent: string, child: string | number): string {
  if (typeof child === 'number') return `${parent}[${child}]`;
  return parent === '' ? child : `${parent}.${child}`;
}

/** The issues of an object inside the field of another one. */
export function issuesInside(field: string, issues: readonly IssueWithReason[]): IssueWithReason[] {
  return issues.map((issue) => ({
    ...issue,
    // What stands in a list begins with its place there.
    path: issue.path.startsWith('[') ? `${field}${issue.path}` : joinPath(field, issue.path),
  }));
}

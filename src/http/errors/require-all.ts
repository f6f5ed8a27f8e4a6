import { BadRequestError } from './bad-request-error.js';
import { issuesInside, type IssueWithReason } from './issue.js';

/**
 * Runs several checks of one request, so that one response contains the issues of all of them.
 *
 * @param checks in the order in which their issues are listed; a check throws a BadRequestError for issues
 * @returns the results of the checks, in the same order
 * @throws BadRequestError with the issues of all checks
 */
export async function requireAll<Checks extends readonly unknown[] | []>(
  checks: Checks,
): Promise<{ -readonly [Index in keyof Checks]: Awaited<Checks[Index]> }> {
  const results = await Promise.allSettled(checks);
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (errors.length === 0) return Promise.all(checks);
  const issues = errors.flatMap((error) => {
    if (!(error instanceof BadRequestError)) throw error;
    return error.issues.map((issue) => ({ ...issue, reason: error.reason }));
  });
  throw BadRequestError.of(issues);
}

/**
 * Refuses a request with issues.
 *
 * @throws BadRequestError when there are any
 */
export function requireNoIssues(issues: readonly IssueWithReason[]): void {
  if (issues.length > 0) throw BadRequestError.of(issues);
}

/**
 * Runs a check of an object that is a field of a body.
 *
 * @param check throws a BadRequestError with paths in the object
 * @throws BadRequestError with the paths in the body
 */
export async function insideField<Result>(field: string, check: Promise<Result>): Promise<Result> {
  try {
    return await check;
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
    const { reason, issues } = error;
    throw BadRequestError.of(issuesInside(field, issues).map((issue) => ({ ...issue, reason })));
  }
}

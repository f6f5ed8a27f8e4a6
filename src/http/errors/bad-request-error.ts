import { DomainError } from './domain-error.js';
import { errorMessageOf } from './error-envelope.js';
import type { Issue, IssueWithReason } from './issue.js';
import { INVALID_PARAMETERS } from './request.errors.js';

/** The number of issues that a message names, and the length of each of them, in characters. */
const EXPLAINED_ISSUES = 3;
const EXPLAINED_CHARACTERS = 300;

/** How many issues one answer names at most, so that a request of 1 MiB cannot ask for an answer of 20. */
const MAXIMUM_ISSUES = 20_000;

/** How many characters the paths and messages of these have in all, for one long name may stand in the path of each. */
const MAXIMUM_ISSUE_CHARACTERS = 2_000_000;

/** 400: the request itself is wrong. Names every issue. */
export class BadRequestError extends DomainError {
  private constructor(
    reason: string,
    readonly issues: readonly Issue[],
    detail: Readonly<Record<string, unknown>>,
  ) {
    super({ status: 400, reason }, detail);
  }

  /**
   * The error for a list of issues: its reason is theirs when they share one, otherwise `invalid_parameters`. Of more
   * issues than one answer can name it says how many there are besides.
   *
   * @param issues at least one
   * @param detail further members of `error.metadata`
   */
  static of(issues: readonly IssueWithReason[], detail: Readonly<Record<string, unknown>> = {}): BadRequestError {
    const reasons = new Set(issues.map((issue) => issue.reason ?? INVALID_PARAMETERS.reason));
    const [only] = reasons;
    const reason = reasons.size === 1 && only !== undefined ? only : INVALID_PARAMETERS.reason;
    const named = nameable(issues);
    const omitted = issues.length - named.length;
    return new BadRequestError(reason, named, omitted > 0 ? { ...detail, omitted_issues: omitted } : detail);
  }

  /** The message of the status with the first issues, for clients that show nothing else (docs/interface/inference.md#refusals). */
  override get explanation(): string {
    const shown = this.issues
      .slice(0, EXPLAINED_ISSUES)
      .map(({ path, message }) => shortened(`${path} ${message}`.trim()));
    const others = this.issues.length > shown.length ? '; ...' : '';
    return `${errorMessageOf(this.status)}: ${shown.join('; ')}${others}`;
  }

  override get metadata(): Record<string, unknown> {
    const { reason, ...detail } = super.metadata;
    return { reason, issues: this.issues, ...detail };
  }
}

/** As many of the issues as one answer names, and one at least. */
function nameable(issues: readonly IssueWithReason[]): Issue[] {
  let characters = 0;
  const end = issues.findIndex(({ path, message }, index) => {
    characters += path.length + message.length;
    return index > 0 && (index === MAXIMUM_ISSUES || characters > MAXIMUM_ISSUE_CHARACTERS);
  });
  return issues.slice(0, end === -1 ? issues.length : end).map(({ path, message }) => ({ path, message }));
}

function shortened(text: string): string {
  return text.length <= EXPLAINED_CHARACTERS ? text : `${text.slice(0, EXPLAINED_CHARACTERS).toWellFormed()}...`;
}

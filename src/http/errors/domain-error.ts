import type { Issue, ReasonedIssue } from './issue.js';

/**
 * A failure that the caller is told of. Its status and message are those of SERVICE.md, section 7; `reason` says which
 * case it is, in a stable snake_case code that is part of the interface (docs/api-design.md lists them).
 */
export abstract class DomainError extends Error {
  abstract readonly status: number;

  /**
   * @param reason the stable code of this case
   * @param detail further members of `error.metadata`; never a secret
   */
  constructor(
    readonly reason: string,
    readonly detail: Readonly<Record<string, unknown>> = {},
  ) {
    super(reason);
    this.name = new.target.name;
  }
}

/** How many faults one answer names at most, so that a request of 1 MiB cannot ask for an answer of 20. */
const MAXIMUM_ISSUES = 20_000;

/** How many characters the paths and messages of these have in all, for one long name may stand in the path of each. */
const MAXIMUM_ISSUE_CHARACTERS = 2_000_000;

/** 400: the request itself is at fault. Names every fault. */
export class BadRequestError extends DomainError {
  readonly status = 400;

  constructor(
    reason: string,
    readonly issues: readonly Issue[],
    detail: Readonly<Record<string, unknown>> = {},
  ) {
    super(reason, detail);
  }

  /**
   * The error for a list of faults: its reason is theirs when they share one, otherwise `invalid_parameters`. Of more
   * faults than one answer can name it says how many there are besides.
   *
   * @param issues at least one
   */
  static of(issues: readonly ReasonedIssue[]): BadRequestError {
    const reasons = new Set(issues.map((issue) => issue.reason ?? 'invalid_parameters'));
    const [only] = reasons;
    const reason = reasons.size === 1 && only !== undefined ? only : 'invalid_parameters';
    const named = nameable(issues);
    const omitted = issues.length - named.length;
    return new BadRequestError(reason, named, omitted > 0 ? { omitted_issues: omitted } : {});
  }
}

/** As many of the faults as one answer names, and one at least. */
function nameable(issues: readonly ReasonedIssue[]): Issue[] {
  let characters = 0;
  const end = issues.findIndex(({ path, message }, index) => {
    characters += path.length + message.length;
    return index > 0 && (index === MAXIMUM_ISSUES || characters > MAXIMUM_ISSUE_CHARACTERS);
  });
  return issues.slice(0, end === -1 ? issues.length : end).map(({ path, message }) => ({ path, message }));
}

/** 401: no credential, or one that is not accepted. */
export class UnauthorizedError extends DomainError {
  readonly status = 401;
}

/** 403: the caller is known and may not do this. */
export class ForbiddenError extends DomainError {
  readonly status = 403;
}

/** 404: it does not exist, or not for this caller; the two are never told apart. */
export class NotFoundError extends DomainError {
  readonly status = 404;
}

/** 409: it clashes with what is there. */
export class ConflictError extends DomainError {
  readonly status = 409;
}

/** 413: the body is larger than what is read. */
export class PayloadTooLargeError extends DomainError {
  readonly status = 413;
}

/** 503: the request cannot be answered for a while, and not because of itself. */
export class ServiceUnavailableError extends DomainError {
  readonly status = 503;

  /** @param retryAfterSeconds whole seconds until another attempt is worthwhile (RFC 9110, section 10.2.3) */
  constructor(
    reason: string,
    readonly retryAfterSeconds: number,
  ) {
    super(reason);
  }
}

/** 415: the body comes in an encoding that is not undone here. */
export class UnsupportedMediaTypeError extends DomainError {
  readonly status = 415;
}

/** 429: too many requests. */
export class RateLimitExceededError extends DomainError {
  readonly status = 429;

  /** @param retryAfterSeconds whole seconds until the next attempt can succeed (RFC 9110, section 10.2.3) */
  constructor(
    reason: string,
    readonly retryAfterSeconds: number,
  ) {
    super(reason);
  }
}

import { errorTypeOf } from './error-type.js';
import { DomainError, type ErrorKind, RetryLaterError } from './domain-error.js';

/** A class of errors, which knows what they have in common before there is one. */
export type DomainErrorClass = ErrorKind & (new (detail?: Readonly<Record<string, unknown>>) => DomainError);

/** A class of errors that tell when to try again. */
export type RetryLaterErrorClass = ErrorKind & (new (retryAfterSeconds: number) => RetryLaterError);

/**
 * The class that a class of errors extends. Only files named `*.errors.ts` define errors, so that all of them can be listed.
 *
 * @param status any but 400, whose reasons are those of its issues ({@link IssueKind})
 * @param reason the stable code of the case
 */
export function defineError(status: number, reason: string): DomainErrorClass {
  return class extends DomainError {
    static readonly status = status;
    static readonly reason = reason;

    constructor(detail?: Readonly<Record<string, unknown>>) {
      super({ status, reason }, detail);
    }
  };
}

/** What an error with a message of its own has besides it. */
export interface ExplainedErrorOptions {
  /** Further members of `error.metadata`. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Further members of `error`, beside `metadata`. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Whole seconds. */
  readonly retryAfterSeconds?: number;
}

/** A class of errors whose message to the caller has the particulars. */
export type ExplainedErrorClass = ErrorKind &
  (new (message: string, options?: ExplainedErrorOptions) => ExplainedError);

/**
 * An error of an inference operation, whose clients show nothing but `error.message`: it has the particulars
 * (docs/interface/inference.md#refusals).
 */
export abstract class ExplainedError extends DomainError {
  override readonly retryAfterSeconds?: number;
  private readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    kind: ErrorKind,
    private readonly particulars: string,
    { detail, fields = {}, retryAfterSeconds }: ExplainedErrorOptions = {},
  ) {
    super(kind, { error_type: errorTypeOf(kind.status), ...detail });
    this.fields = fields;
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }

  override get shownMessage(): string {
    return this.particulars;
  }

  override get furtherFields(): Readonly<Record<string, unknown>> {
    return this.fields;
  }
}

/** The class that a class of errors of inference operations extends, of any status. */
export function defineExplainedError(status: number, reason: string): ExplainedErrorClass {
  return class extends ExplainedError {
    static readonly status = status;
    static readonly reason = reason;

    constructor(message: string, options?: ExplainedErrorOptions) {
      super({ status, reason }, message, options);
    }
  };
}

/** Defines an error with a `Retry-After`. */
export function defineRetryLaterError(status: 409 | 429 | 503, reason: string): RetryLaterErrorClass {
  return class extends RetryLaterError {
    static readonly status = status;
    static readonly reason = reason;

    constructor(retryAfterSeconds: number) {
      super({ status, reason }, retryAfterSeconds);
    }
  };
}

import { errorMessageOf } from './error-envelope.js';

/** What every error of one kind has in common. */
export interface ErrorKind {
  readonly status: number;
  /** Which case it is, in a stable snake_case code that is part of the interface (docs/interface/errors.md#reasons). */
  readonly reason: string;
}

/** An error that the caller sees. */
export abstract class DomainError extends Error implements ErrorKind {
  readonly status: number;
  readonly reason: string;
  /** Whole seconds until another attempt is worthwhile (RFC 9110, section 10.2.3); undefined if none is promised. */
  readonly retryAfterSeconds?: number;

  /**
   * @param kind what it has in common with others
   * @param detail further members of `error.metadata`; never a secret
   */
  constructor(
    { status, reason }: ErrorKind,
    private readonly detail: Readonly<Record<string, unknown>> = {},
  ) {
    super(reason);
    this.name = new.target.name;
    this.status = status;
    this.reason = reason;
  }

  /** What `error.message` says; undefined for the message of the status (docs/interface/errors.md#messages). */
  get shownMessage(): string | undefined {
    return undefined;
  }

  /**
   * What `error.message` says in operations of inference, whose clients show nothing else, where that is more than in all others;
   * undefined for the same.
   */
  get explanation(): string | undefined {
    return undefined;
  }

  /** Further members of `error`, beside `metadata`. */
  get furtherFields(): Readonly<Record<string, unknown>> {
    return {};
  }

  /** Further members of the body, beside `error`. */
  get besides(): Readonly<Record<string, unknown>> {
    return {};
  }

  /**
   * Whether what the request has changed until then stays, because the answer says so: with an Idempotency-Key it is then committed, and the
   * answer kept, like those of successes (docs/adr/0020). Everything else that has changed before an error is rolled back with a key.
   */
  readonly keepsChanges: boolean = false;

  /** What the log says of it where it is logged; undefined for its stack. */
  get logged(): Readonly<Record<string, unknown>> | undefined {
    return undefined;
  }

  /** `error.metadata` of the answer. */
  get metadata(): Record<string, unknown> {
    return { reason: this.reason, ...this.detail };
  }
}

/** An error of a request that can succeed when it is repeated. */
export abstract class RetryLaterError extends DomainError {
  /** @param retryAfterSeconds whole seconds until another attempt is worthwhile (RFC 9110, section 10.2.3) */
  constructor(
    kind: ErrorKind,
    override readonly retryAfterSeconds: number,
  ) {
    super(kind);
  }

  /** Coding agents read the time in the message, and wait for it. */
  override get explanation(): string | undefined {
    return this.status === 429 ? `${errorMessageOf(429)}. Please try again in ${this.retryAfterSeconds}s.` : undefined;
  }
}

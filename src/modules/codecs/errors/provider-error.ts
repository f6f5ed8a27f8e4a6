import { DomainError } from '../../../http/errors/domain-error.js';
import type { CountedUsage } from '../chat/chat-completion.js';

/** What can go wrong with a provider. */
export type ProviderErrorKind =
  /** It answered with an error, as its status or within a stream. */
  | 'refused'
  /** There was no connection, or it broke off. */
  | 'unreachable'
  /** It took longer than its connection allows. */
  | 'timeout'
  /** Its answer is not what its protocol says. */
  | 'invalid'
  /** It was not asked: all connections to it are in use. */
  | 'busy'
  /** It was not asked: the organization has its share of the connections to it. */
  | 'share_used';

interface ProviderErrorOptions {
  /** The status of its answer, where there was one. */
  readonly status?: number;
  /** Its own word for the error, where it has one. */
  readonly code?: string;
  /** Seconds, from its Retry-After. */
  readonly retryAfter?: number;
  /** The categories for which its content filter refused the request, where it says them. */
  readonly filtered?: readonly string[];
  readonly cause?: unknown;
}

/**
 * A provider did not answer as asked. The message is the provider's own where it gave one: a caller may see it, so it must
 * hold no credential.
 */
export class ProviderError extends Error {
  readonly status: number | null;
  readonly code: string | null;
  readonly retryAfter: number | null;
  /** The categories for which its content filter refused the request; empty where it names none. */
  readonly filtered: readonly string[];
  /** What the provider counted in an answer that cannot be used; null where it counted nothing. */
  counted: CountedUsage | null = null;
  /** How much of a whole answer came, in bytes. */
  receivedBytes = 0;
  hasHead = true;
  /** Whether the request was sent a second time, because its first connection had been given up. */
  wasRepeated = false;

  constructor(
    readonly kind: ProviderErrorKind,
    message: string,
    { status, code, retryAfter, filtered, cause }: ProviderErrorOptions = {},
  ) {
    super(message, { cause });
    this.name = 'ProviderError';
    this.status = status ?? null;
    this.code = code ?? null;
    this.retryAfter = retryAfter ?? null;
    this.filtered = filtered ?? [];
  }
}

/** Lets an error say what the provider counted in an answer that cannot be used. @returns the same error */
export function withCounted(error: unknown, counted: CountedUsage | undefined): unknown {
  if (error instanceof ProviderError) error.counted = counted ?? null;
  return error;
}

/**
 * What to throw for an error that was thrown while an answer was read: whatever an answer makes the reader throw is a failure of its
 * provider, so that another one can be asked.
 *
 * @param signal of the call, whose reason stays as it is
 * @returns a ProviderError, the reason of the signal, or a refusal of the gateway itself
 */
export function readingFailure(thrown: unknown, signal?: AbortSignal): unknown {
  const isOwn = thrown instanceof ProviderError || thrown instanceof DomainError;
  if (isOwn || signal?.aborted === true) return thrown;
  return new ProviderError('invalid', 'The provider’s answer could not be read.', { cause: thrown });
}

/** The request has something that the provider's form cannot say. It counts as the provider's refusal, of status 400. */
export function untranslatable(what: string): ProviderError {
  return new ProviderError('refused', `The provider of this model takes no ${what}.`, { status: 400 });
}

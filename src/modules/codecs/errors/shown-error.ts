import { DomainError } from '../../../http/errors/domain-error.js';
import { errorMessageOf } from '../../../http/errors/error-envelope.js';
import { errorWordOf, messageWithWord } from '../../../http/errors/error-type.js';
import { ProviderError } from './provider-error.js';
import { refusalTypeOf } from './refusal-type.js';

/** What a caller is told of an error. */
export interface ShownError {
  readonly status: number;
  readonly message: string;
}

/** The words for programs beside the message of an error. */
interface ErrorCodes {
  /** The stable word for its kind. */
  readonly error_type: string;
  /** The provider's own word, of an error that is not masked. */
  readonly provider_code?: string;
}

/** The status for failures of a provider. */
const BAD_GATEWAY = 502;

/** The statuses of providers' errors that callers are told, because they decide by them what to do. Those below 500 are about the request. */
const PASSED_ON_STATUSES: ReadonlySet<number> = new Set([400, 413, 422, 429, 503, 529]);

/** What a caller is told of a failure of a provider, whatever it was. */
export const MASKED_FAILURE = 'Provider returned error';

/** What a caller is told of an error: not what went wrong at the provider, or within the gateway. */
export function shownErrorOf(error: unknown): ShownError {
  if (error instanceof ProviderError) {
    const status = statusOf(error);
    if (status >= 500) return { status, message: MASKED_FAILURE };
    if (status === 429) return { status, message: withWait(errorMessageOf(status), error.retryAfter) };
    return { status, message: messageWithWord(error.message, refusalTypeOf(error, status)) };
  }
  if (!(error instanceof DomainError)) return { status: 500, message: errorMessageOf(500) };
  return { status: error.status, message: error.shownMessage ?? errorMessageOf(error.status) };
}

/**
 * What a caller is told of an error with which an answer breaks off that has begun. What the gateway itself cannot do, such as to record the
 * answer, is like any other failure behind it: a 502.
 */
export function brokenAnswerErrorOf(error: unknown): ShownError {
  return isOwnFault(error) ? { status: BAD_GATEWAY, message: errorMessageOf(BAD_GATEWAY) } : shownErrorOf(error);
}

/** Whether an error is a fault of the gateway itself, which shows nothing more than that. */
export function isOwnFault(error: unknown): boolean {
  return shownErrorOf(error).status === 500;
}

/** What programs are told of an error with which an answer breaks off. @param error whatever {@link brokenAnswerErrorOf} takes */
export function shownWordsOf(error: unknown): ErrorCodes {
  if (error instanceof ProviderError) {
    const status = statusOf(error);
    const code = status < 500 && error.code !== null && { provider_code: error.code };
    return { error_type: refusalTypeOf(error, status), ...code };
  }
  const metadata = error instanceof DomainError ? error.metadata : {};
  const { provider_code: code } = metadata;
  return {
    error_type: errorWordOf(brokenAnswerErrorOf(error).status, metadata),
    ...(typeof code === 'string' && { provider_code: code }),
  };
}

/** A message that says when to try again, in the words that coding agents read. @param seconds null if that is not known */
function withWait(message: string, seconds: number | null): string {
  return seconds === null ? message : `${message}. Please try again in ${seconds}s.`;
}

function statusOf({ kind, status }: ProviderError): number {
  return kind === 'refused' && status !== null && PASSED_ON_STATUSES.has(status) ? status : BAD_GATEWAY;
}

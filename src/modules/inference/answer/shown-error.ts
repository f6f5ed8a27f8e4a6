import { DomainError } from '../../../api/errors/domain-error.js';
import { errorMessageOf } from '../../../api/errors/error-envelope.js';
import type { ContentError } from '../../generations/content/generation-content.js';
import { ProviderError } from '../../providers/provider-error.js';

/** What a caller is told of an error: not what went wrong at the provider, or within the gateway. */
export function shownErrorOf(error: unknown): ContentError {
  if (error instanceof ProviderError) return { status: 502, message: 'Provider returned error' };
  if (!(error instanceof DomainError)) return { status: 500, message: errorMessageOf(500) };
  return { status: error.status, message: error.shownMessage ?? errorMessageOf(error.status) };
}

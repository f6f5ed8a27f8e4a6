import { DomainError } from '../../../api/errors/domain-error.js';
import { errorMessageOf } from '../../../api/errors/error-envelope.js';
import { ProviderError } from '../../providers/provider-error.js';

/** What a client is told of an error in a stream. What went wrong at the provider, or within the gateway, it does not say. */
export function shownErrorOf(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof ProviderError) return { status: 502, message: 'Provider returned error' };
  if (!(error instanceof DomainError)) return { status: 500, message: errorMessageOf(500) };
  return { status: error.status, message: error.shownMessage ?? errorMessageOf(error.status) };
}

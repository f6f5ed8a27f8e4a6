import type { FinishReason } from '../../chat-completion.js';
import { type JsonObject, listOf, objectOf } from '../../json-values.js';
import type { ProviderError } from '../../provider-error.js';
import { providerErrorOf } from '../../upstream/error-object.js';
import type { Upstream } from '../provider-protocol.js';

/**
 * Reads the failure that a provider gives as the reason for which a choice has ended, with or without an error beside it.
 *
 * @param choices as they were read
 * @param document of the provider, which has them
 * @returns undefined if none of them has failed
 */
export function reportedFailure(
  choices: readonly { readonly finish_reason: FinishReason | null }[],
  document: unknown,
  upstream: Upstream,
): ProviderError | undefined {
  const position = choices.findIndex(({ finish_reason: reason }) => reason === 'error');
  if (position === -1) return undefined;
  const choice = objectOf(listOf(objectOf(document)?.['choices'])[position]);
  return errorOf(choice?.['error'], upstream);
}

/** The error of an event whose name says that it is one. */
export function namedError(document: JsonObject, upstream: Upstream): ProviderError {
  return errorOf(document, upstream);
}

function errorOf(error: unknown, upstream: Upstream): ProviderError {
  return providerErrorOf({ error: error ?? {} }, upstream)!;
}

import { MOST_PARTS_OF_EVENT } from '../document-extent.js';
import { type JsonObject, objectOf, parsed } from '../json-values.js';
import { ProviderError } from '../provider-error.js';
import { providerErrorOf } from '../upstream/error-object.js';
import type { ServerSentEvent } from '../upstream/server-sent-events.js';
import type { Upstream } from './provider-protocol.js';

/**
 * Reads the document of an event in a stream of answers.
 *
 * @throws ProviderError if it is an error, or no object of JSON
 */
export function eventDocument({ data }: ServerSentEvent, upstream: Upstream): JsonObject {
  const document = objectOf(parsed(data, MOST_PARTS_OF_EVENT));
  if (document === undefined) throw new ProviderError('invalid', 'The provider sent an event that is no JSON object.');
  const error = providerErrorOf(document, upstream);
  if (error !== undefined) throw error;
  return document;
}

/** The error of a stream that ended before the provider had finished. */
export function brokenOff(): ProviderError {
  return new ProviderError('unreachable', 'The stream of the provider broke off.');
}

import { EVENT_BOUNDS } from './chat/document-extent.js';
import { type JsonObject, objectOf, parsed } from './chat/json-values.js';
import { ProviderError } from './errors/provider-error.js';
import { providerErrorOf } from './errors/error-object.js';
import type { ServerSentEvent, Upstream } from './upstream-codec.js';

const OPENING_BRACE = 0x7b;

/**
 * Reads the document of an event in a stream of answers.
 *
 * @throws ProviderError if it is an error, or no object of JSON
 */
export function eventDocument({ data }: ServerSentEvent, upstream: Upstream): JsonObject {
  const document = objectOf(parsed(data, EVENT_BOUNDS));
  if (document === undefined) throw noObject();
  const error = providerErrorOf(document, upstream);
  if (error !== undefined) throw error;
  return document;
}

/**
 * Reads the documents of an event: one, or all of a stream that came as one list, as Google's do where no events were asked for.
 *
 * @throws ProviderError if one of them is an error, or no object of JSON
 */
export function eventDocuments({ event, data }: ServerSentEvent, upstream: Upstream): readonly JsonObject[] {
  if (beginsObject(data)) return [eventDocument({ event, data }, upstream)];
  const list = parsed(data, EVENT_BOUNDS);
  if (!Array.isArray(list)) return [eventDocument({ event, data }, upstream)];
  return list.map((one) => {
    const error = providerErrorOf(one, upstream);
    if (error !== undefined) throw error;
    const document = objectOf(one);
    if (document === undefined) throw noObject();
    return document;
  });
}

function noObject(): ProviderError {
  return new ProviderError('invalid', 'The provider sent an event that is no JSON object.');
}

/** Whether an event says that the stream is complete, as that of OpenAI's form does and others may. */
export function isDone({ data }: ServerSentEvent): boolean {
  return !beginsObject(data) && data.trim() === '[DONE]';
}

/** Whether an event says nothing. */
export function isBlank({ data }: ServerSentEvent): boolean {
  return !beginsObject(data) && data.trim() === '';
}

/** Nearly every event does. Its first unit is read and not searched for, because every event of a stream comes here. */
function beginsObject(data: string): boolean {
  return data.charCodeAt(0) === OPENING_BRACE;
}

/** The error of a stream that ended before the provider had finished. */
export function brokenOff(): ProviderError {
  return new ProviderError('unreachable', 'The stream of the provider broke off.');
}

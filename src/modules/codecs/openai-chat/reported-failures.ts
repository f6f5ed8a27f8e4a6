import type { ChatChoice, FinishReason } from '../chat/chat-completion.js';
import { MAXIMUM_CHOICES } from '../chat/choice-count.js';
import { written } from '../chat/answer-work.js';
import { type JsonObject, listOf, objectOf, nonEmptyText } from '../chat/json-values.js';
import type { ProviderError } from '../errors/provider-error.js';
import { providerErrorOf } from '../errors/error-object.js';
import type { Upstream } from '../upstream-codec.js';

/** A choice, or a piece of one, as it was read. */
interface EndedChoice {
  readonly finish_reason: FinishReason | null;
}

/**
 * Reads the failure that a provider gives as the reason for which a choice has ended, with or without an error beside it.
 *
 * @param choices as they were read
 * @param document of the provider, which has them
 * @returns undefined if none of them has failed
 */
export function reportedFailure(
  choices: readonly EndedChoice[],
  document: unknown,
  upstream: Upstream,
): ProviderError | undefined {
  const position = choices.findIndex(hasFailed);
  return position === -1 ? undefined : failureAt(position, document, upstream);
}

/**
 * Shows why choices have failed that have said something before: in the words of the provider, with its status as the code, or 502. Of
 * more choices than can be asked for, the failures beyond those are shown with the words of the last one, because to read the words of
 * one takes some milliseconds.
 *
 * @param choices as they were read
 * @param document of the provider, which has them
 */
export function withFailures(
  choices: readonly ChatChoice[],
  document: unknown,
  upstream: Upstream,
): readonly ChatChoice[] {
  let read = 0;
  let error: ChatChoice['error'];
  return choices.map((choice, position) => {
    if (!hasFailed(choice)) return choice;
    if (error === undefined || read < MAXIMUM_CHOICES) {
      const { status, message } = failureAt(position, document, upstream);
      error = { code: status ?? 502, message };
      read += 1;
    }
    written(error.message.length);
    return { ...choice, error };
  });
}

/** The error of an event with the name of an error. */
export function namedError(document: JsonObject, upstream: Upstream): ProviderError {
  return errorOf(document, upstream);
}

/**
 * The error that a chunk is, though neither a field nor its event is called so: some servers send one in place of a chunk, and
 * then end the stream as if it were complete, and Groq says within a chunk why it stops early.
 *
 * @returns undefined for a chunk
 */
export function unnamedError(document: JsonObject, upstream: Upstream): ProviderError | undefined {
  const ofGroq = nonEmptyText(objectOf(document['x_groq'])?.['error']);
  if (ofGroq !== undefined) return errorOf(ofGroq, upstream);
  if (Array.isArray(document['choices']) || objectOf(document['usage']) !== undefined) return undefined;
  const { object, type, message, detail, text, error_code: code } = document;
  const isCalledError = object === 'error' || type === 'error';
  const said = [message, detail].find((value) => typeof value === 'string' || Array.isArray(value));
  if (!isCalledError && said === undefined && !isErrorCode(code)) return undefined;
  return errorOf({ message: said ?? text, code: document['code'] ?? code }, upstream);
}

/** Providers that have codes of this name send 0 where nothing is wrong. */
function isErrorCode(code: unknown): boolean {
  return code !== undefined && code !== null && code !== 0;
}

function hasFailed({ finish_reason: reason }: EndedChoice): boolean {
  return reason === 'error';
}

function failureAt(position: number, document: unknown, upstream: Upstream): ProviderError {
  const choice = objectOf(listOf(objectOf(document)?.['choices'])[position]);
  return errorOf(choice?.['error'], upstream);
}

function errorOf(error: unknown, upstream: Upstream): ProviderError {
  return providerErrorOf({ error: error ?? {} }, upstream)!;
}

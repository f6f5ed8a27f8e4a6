import { type JsonObject, listOf, nonEmptyText, objectOf } from '../chat/json-values.js';

/** How many details of an error are looked at. */
const MAXIMUM_DETAILS = 100;

/** The status of each word that Google has for a class of errors (https://cloud.google.com/apis/design/errors#handling_errors). */
export const STATUS_BY_GOOGLE_WORD: ReadonlyMap<string, number> = new Map([
  ['INVALID_ARGUMENT', 400],
  ['FAILED_PRECONDITION', 400],
  ['OUT_OF_RANGE', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['ALREADY_EXISTS', 409],
  ['ABORTED', 409],
  ['RESOURCE_EXHAUSTED', 429],
  ['CANCELLED', 499],
  ['UNKNOWN', 500],
  ['INTERNAL', 500],
  ['DATA_LOSS', 500],
  ['UNIMPLEMENTED', 501],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
]);

/** The reason for which a key is refused. The class says that the request is wrong, as if its caller had sent the key. */
const WRONG_KEY = 'API_KEY_INVALID';

/** {@link WRONG_KEY} in the words of a message, which may come without details. */
const WRONG_KEY_IN_WORDS = /\bAPI key (?:not valid|expired|not found)\b/i;

/** Google's own word for an error: the reason where it refuses a key, else the class. @returns undefined for an error of another form */
export function googleWordOf(error: JsonObject): string | undefined {
  const word = nonEmptyText(error['status']);
  if (word === undefined || !STATUS_BY_GOOGLE_WORD.has(word)) return undefined;
  return refusesKey(error, word) ? WRONG_KEY : word;
}

/** The status of an error of which the status of the answer says something else. @returns undefined for all but those of keys */
export function statusOfGoogleKey(error: JsonObject): number | undefined {
  return googleWordOf(error) === WRONG_KEY ? 401 : undefined;
}

function refusesKey({ message, details }: JsonObject, word: string): boolean {
  if (word !== 'INVALID_ARGUMENT') return false;
  const reasons = listOf(details)
    .slice(0, MAXIMUM_DETAILS)
    .map((detail) => objectOf(detail)?.['reason']);
  return reasons.includes(WRONG_KEY) || WRONG_KEY_IN_WORDS.test(nonEmptyText(message)?.slice(0, 200) ?? '');
}

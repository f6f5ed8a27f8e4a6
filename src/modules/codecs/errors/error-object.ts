import { withoutSecrets } from './secret-parts.js';
import { type JsonObject, listOf, objectOf, nonEmptyText } from '../chat/json-values.js';
import { statusOfAccountError } from './account-errors.js';
import { amazonClassOf, statusOfAmazonClass, statusOfModel } from './amazon-errors.js';
import { isContextError } from './context-errors.js';
import { googleWordOf, STATUS_BY_GOOGLE_WORD, statusOfGoogleKey } from './google-errors.js';
import { ProviderError } from './provider-error.js';
import type { Upstream } from '../upstream-codec.js';
import { durationOf } from './duration.js';
import { boundedWait, waitIn } from './retry-after.js';

/** UTF-16 code units; a caller sees the message. */
const MAXIMUM_MESSAGE_LENGTH = 2_000;

const MAXIMUM_CODE_LENGTH = 100;

/** How many details of an error are looked at. */
const MAXIMUM_DETAILS = 100;

/** The status of an error that came without one, within a stream or in an answer of status 200, by the provider's word. */
const STATUS_BY_WORD: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['context_length_exceeded', 400],
  ['authentication_error', 401],
  ['invalid_api_key', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['server_error', 500],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
  ...STATUS_BY_GOOGLE_WORD,
]);

/** The fields in which answers have their content: chats in both forms, and embeddings. */
const ANSWERS = ['choices', 'content', 'data'] as const;

interface Circumstances {
  /** The status of the answer, if that says more than that it had one. */
  readonly status?: number;
  /** Seconds. */
  readonly retryAfter?: number;
  /** The class of the error, if a header says it. */
  readonly word?: string;
}

const NO_CIRCUMSTANCES: Circumstances = {};

/**
 * Reads the error that a document consists of, in the forms that providers use: `{error: {message, code, type}}`,
 * `{error: "..."}`, a list of one of these, or the same fields without `error` around them if the status says that it is one.
 * Some servers send an error that says nothing with every answer.
 *
 * @param document parsed JSON
 * @param upstream its key is masked in the message
 * @returns undefined if the document is not an error
 */
export function providerErrorOf(
  document: unknown,
  upstream: Upstream,
  circumstances: Circumstances = NO_CIRCUMSTANCES,
): ProviderError | undefined {
  const outer = objectOf(Array.isArray(document) ? document[0] : document);
  const given = outer?.['error'] ?? undefined;
  // So it is for nearly every event of a stream.
  if (given === undefined && circumstances.status === undefined) return undefined;
  const error = saysNothing(given) && isAnswer(outer) ? undefined : given;
  const inner = objectOf(error) ?? (circumstances.status === undefined ? undefined : outer);
  const message = nonEmptyText(error) ?? (inner === undefined ? undefined : messageOf(inner));
  if (error === undefined && message === undefined) return undefined;
  const retryAfter = circumstances.retryAfter ?? statedWaitOf(inner);
  const narrower = inner === undefined ? undefined : (statusOfModel(inner) ?? statusOfGoogleKey(inner));
  return refusal(message, upstream, {
    ...wordsOf(inner),
    ...circumstances,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(narrower !== undefined && { narrower }),
    ...(inner !== undefined && { filtered: filteredIn(inner) }),
  });
}

/** How many categories of a filter are looked at. */
const MAXIMUM_CATEGORIES = 50;

const CATEGORY = /^[a-z][a-z_]{0,63}$/;

/** The categories that Azure's content filter names: `innererror: {content_filter_result: {hate: {filtered: true}}}`. */
function filteredIn(error: JsonObject): readonly string[] {
  const inner = objectOf(error['innererror']);
  const results = objectOf(inner?.['content_filter_result']) ?? objectOf(inner?.['content_filter_results']) ?? {};
  return Object.entries(results)
    .slice(0, MAXIMUM_CATEGORIES)
    .flatMap(([name, result]) => (objectOf(result)?.['filtered'] === true && CATEGORY.test(name) ? [name] : []));
}

function saysNothing(error: unknown): boolean {
  const fields = objectOf(error);
  return fields === undefined ? error === '' || error === false : Object.keys(fields).length === 0;
}

function isAnswer(document: JsonObject | undefined): boolean {
  return ANSWERS.some((name) => Array.isArray(document?.[name]));
}

/**
 * The error of an answer with nothing but a text.
 *
 * @param message the provider's own, however long; undefined if it gave none
 */
export function refusal(
  message: string | undefined,
  upstream: Upstream,
  { status, word, code, retryAfter, narrower, filtered }: Circumstances & ErrorWords,
): ProviderError {
  // The code is narrower than the class: a wrong key of the gateway is an invalid request to some providers.
  const said =
    narrower ??
    statusOfAmazonClass(word) ??
    status ??
    statusOf(code) ??
    STATUS_BY_WORD.get(String(code)) ??
    STATUS_BY_WORD.get(word ?? '');
  // Some servers say that a prompt does not fit with the status of a failure of their own, or with none.
  const ownWord = String(code ?? word ?? '');
  const isOfContext = (said ?? 500) >= 500 && message !== undefined && isContextError(message, ownWord);
  const known = isOfContext ? 400 : (statusOfAccountError(said, ownWord, message ?? '') ?? said);
  const wait = retryAfter ?? (known === 429 ? waitIn(message ?? '') : undefined);
  return new ProviderError('refused', presentable(message ?? withoutWords(known), upstream, MAXIMUM_MESSAGE_LENGTH), {
    ...(known === undefined ? {} : { status: known }),
    ...(ownWord !== '' && { code: presentable(ownWord, upstream, MAXIMUM_CODE_LENGTH) }),
    ...(wait === undefined ? {} : { retryAfter: wait }),
    ...(filtered === undefined ? {} : { filtered }),
  });
}

interface ErrorWords {
  /** The class of the error, such as `rate_limit_error`. */
  readonly word?: string;
  readonly code?: string | number;
  /** The status that it says itself where that of its answer says less: that of the model behind the provider, or of a refused key. */
  readonly narrower?: number;
  /** The categories for which a content filter refused the request. */
  readonly filtered?: readonly string[];
}

function wordsOf(error: JsonObject | undefined): ErrorWords {
  const word = nonEmptyText(error?.['type']) ?? amazonClassOf(error?.['__type']);
  const ownCode = typeof error?.['code'] === 'number' ? error['code'] : nonEmptyText(error?.['code']);
  // Google's code is the status of its answer.
  const code = (error && googleWordOf(error)) ?? ownCode;
  return { ...(word === undefined ? {} : { word }), ...(code === undefined ? {} : { code }) };
}

/** Google says it within the error: `details: [{"@type": ".../google.rpc.RetryInfo", "retryDelay": "12s"}]`. */
function statedWaitOf(error: JsonObject | undefined): number | undefined {
  const delays = listOf(error?.['details']).slice(0, MAXIMUM_DETAILS);
  const delay = delays
    .map((detail) => nonEmptyText(objectOf(detail)?.['retryDelay']))
    .find((text) => text !== undefined);
  return delay === undefined ? undefined : boundedWait(durationOf(delay));
}

function messageOf(error: JsonObject): string | undefined {
  const said = error['message'] ?? error['detail'] ?? error['Message'];
  if (objectOf(said) === undefined && !Array.isArray(said)) return withOriginal(nonEmptyText(said), error);
  return JSON.stringify(said);
}

/** Amazon says that a model has failed, and beside it what the model itself says. */
function withOriginal(message: string | undefined, { originalMessage }: JsonObject): string | undefined {
  const original = nonEmptyText(originalMessage)?.slice(0, MAXIMUM_MESSAGE_LENGTH);
  // No more of either than is shown: to search a long text for a long one may take their product.
  if (original === undefined || message?.slice(0, MAXIMUM_MESSAGE_LENGTH).includes(original) === true) return message;
  return message === undefined ? original : `${message} (${original})`;
}

function statusOf(code: string | number | undefined): number | undefined {
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}

function withoutWords(status: number | undefined): string {
  return status === undefined ? 'The provider reported an error.' : `The provider answered with status ${status}.`;
}

/** The provider's own words, without its credential and what was issued for it. */
function presentable(text: string, { apiKey, issuedSecrets }: Upstream, longest: number): string {
  return withoutSecrets(text, [apiKey, ...(issuedSecrets ?? [])], longest);
}

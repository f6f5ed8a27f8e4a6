import { countOf, type JsonObject, wordOf } from '../chat/json-values.js';

/**
 * The statuses of Amazon's classes of errors (https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html), which say more
 * than the status of an answer: a credential that is refused is a 403 or a 400 there, and within a stream there is none. In small letters,
 * because streams begin them with one.
 */
const STATUS_BY_CLASS: ReadonlyMap<string, number> = new Map([
  ['validationexception', 400],
  ['unrecognizedclientexception', 401],
  ['invalidsignatureexception', 401],
  ['incompletesignatureexception', 401],
  ['missingauthenticationtokenexception', 401],
  ['expiredtokenexception', 401],
  ['accessdeniedexception', 403],
  ['resourcenotfoundexception', 404],
  ['servicequotaexceededexception', 429],
  ['throttlingexception', 429],
  ['internalserverexception', 500],
  ['modelerrorexception', 502],
  ['modelstreamerrorexception', 502],
  ['serviceunavailableexception', 503],
  ['modelnotreadyexception', 503],
  ['modeltimeoutexception', 504],
]);

/** The statuses of a model that say what to do. A credential that it refuses, for example, is Amazon's own. */
const OF_MODEL: ReadonlySet<number> = new Set([400, 413, 422, 429]);

/** The status that a class of errors stands for. @returns undefined for any other word */
export function statusOfAmazonClass(word: string | undefined): number | undefined {
  return word?.endsWith('Exception') === true ? STATUS_BY_CLASS.get(word.toLowerCase()) : undefined;
}

/**
 * The class of an error, as a header (`x-amzn-errortype`) or a field (`__type`) names it: `ThrottlingException:http://...`, or
 * `com.amazon.coral.service#ThrottlingException`.
 */
export function amazonClassOf(value: unknown): string | undefined {
  return wordOf(wordOf(value)?.split(':', 1)[0]!.split('#').at(-1));
}

/** The status with which the model itself has failed, where an error of Amazon's says it and it is about the request, or the model's load. */
export function statusOfModel({ originalStatusCode: given }: JsonObject): number | undefined {
  const status = countOf(given);
  return status !== undefined && (OF_MODEL.has(status) || (status >= 500 && status <= 599)) ? status : undefined;
}

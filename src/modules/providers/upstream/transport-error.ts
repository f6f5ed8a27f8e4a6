import { type JsonObject, nonEmptyText, objectOf } from '../../codecs/chat/json-values.js';
import { ProviderError, type ProviderErrorKind } from '../../codecs/errors/provider-error.js';

/** What the codes of undici, of Node.js' HTTP parser and of zlib mean; every other code is a connection that failed. */
const MEANINGS: ReadonlyMap<string, readonly [kind: ProviderErrorKind, message: string]> = new Map([
  ['UND_ERR_CONNECT_TIMEOUT', ['timeout', 'No connection to the provider could be made in time.']],
  ['ETIMEDOUT', ['timeout', 'No connection to the provider could be made in time.']],
  ['UND_ERR_HEADERS_OVERFLOW', ['invalid', 'The head of the provider’s answer is too large.']],
  ['HPE_HEADER_OVERFLOW', ['invalid', 'The head of the provider’s answer is too large.']],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', ['unreachable', 'The provider’s answer broke off.']],
]);

/**
 * Makes a ProviderError of what the network threw. The message names no address, because callers see it, and the operator's
 * network is not theirs to know; the cause has all of it.
 *
 * @param thrown whatever a call threw
 * @param answered whether the head of an answer had come
 * @returns the same if it is a ProviderError, or no error of the network
 */
export function transportErrorOf(thrown: unknown, answered: boolean): unknown {
  const code = thrown instanceof ProviderError ? undefined : codeOf(objectOf(thrown));
  if (code === undefined) return thrown;
  const [kind, message] = MEANINGS.get(code) ?? meaningOf(code, answered);
  return new ProviderError(kind, message, { cause: thrown });
}

/** The code of an error. An error of undici's parser without one counts as HPE_INVALID. */
function codeOf(error: JsonObject | undefined): string | undefined {
  return nonEmptyText(error?.['code']) ?? (error?.['name'] === 'HTTPParserError' ? 'HPE_INVALID' : undefined);
}

function meaningOf(code: string, answered: boolean): readonly [kind: ProviderErrorKind, message: string] {
  if (code.startsWith('HPE_')) return ['invalid', `The provider’s answer is not HTTP (${code}).`];
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_')) {
    return ['invalid', `The provider’s answer cannot be decompressed (${code}).`];
  }
  if (answered) return ['unreachable', 'The provider’s answer broke off.'];
  return ['unreachable', `The provider could not be reached (${code}).`];
}

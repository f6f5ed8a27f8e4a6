import { requireNoIssues } from '../errors/require-all.js';
import { MALFORMED_IDEMPOTENCY_KEY } from './idempotency.errors.js';

/** As issues name it. */
const HEADER = 'Idempotency-Key';

/** The longest key, in characters. */
export const LONGEST_IDEMPOTENCY_KEY = 255;

/** A string of structured fields (RFC 9651, section 3.3.3), as the draft of the header has it. */
const QUOTED = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/** What most clients send. */
const BARE = /^[\x21\x23-\x7e][\x21-\x7e]*$/;

/** How the document describes the header: a key of 1 to 255 characters, or the same in quotation marks. */
export const IDEMPOTENCY_KEY_PATTERN = `^(?:[\\x21\\x23-\\x7e][\\x21-\\x7e]{0,${LONGEST_IDEMPOTENCY_KEY - 1}}|"(?:[\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\["\\\\]){1,${LONGEST_IDEMPOTENCY_KEY}}")$`;

/**
 * Reads the header Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): a key with and without quotation marks is the same.
 *
 * @param value as Node.js has it; several headers are one value with spaces in it, which no key has
 * @throws BadRequestError `malformed_idempotency_key`
 */
export function readIdempotencyKey(value: string): string {
  const quoted = QUOTED.exec(value)?.[1];
  const key = quoted === undefined ? value : quoted.replaceAll(/\\(["\\])/g, '$1');
  const isKey = key.length > 0 && key.length <= LONGEST_IDEMPOTENCY_KEY && (quoted !== undefined || BARE.test(key));
  requireNoIssues(isKey ? [] : [MALFORMED_IDEMPOTENCY_KEY.at(HEADER)]);
  return key;
}

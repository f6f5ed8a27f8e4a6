import { SECRET_PREFIXES } from '../../../auth/principal.js';
import { RESERVED_PREFIX } from '../keys.errors.js';
import type { IssueWithReason } from '../../../http/errors/issue.js';

/** The minimum length of an external secret, in characters. */
export const MINIMUM_EXTERNAL_API_KEY_LENGTH = 32;

/** The maximum length: far below the header limits of proxies and Node.js (8 KiB and 16 KiB). */
export const MAXIMUM_EXTERNAL_API_KEY_LENGTH = 512;

/** The form of a bearer token (RFC 6750, section 2.1); anything else could not be sent. */
export const EXTERNAL_API_KEY_PATTERN = '^[A-Za-z0-9._~+/-]+=*$';

/**
 * The prefixes of our own credentials and codes, of any version. External secrets cannot have them, so that a mistyped
 * key of ours is recognized by its prefix and refused without a query.
 */
const RESERVED = new RegExp(`^(?:${Object.values(SECRET_PREFIXES).join('|')})-gate-`, 'i');

/** Whether a text begins as one of our own credentials does, so that it is none of any other form. */
export function hasReservedPrefix(text: string): boolean {
  return RESERVED.test(text);
}

/** Whether a credential has the form of an external secret. */
export function canBeExternalApiKey(credential: string): boolean {
  return (
    credential.length >= MINIMUM_EXTERNAL_API_KEY_LENGTH &&
    credential.length <= MAXIMUM_EXTERNAL_API_KEY_LENGTH &&
    !hasReservedPrefix(credential)
  );
}

/** Checks that an external secret has none of our prefixes. */
export function withoutReservedPrefix(body: Readonly<Record<string, unknown>>): IssueWithReason[] {
  const { external } = body;
  if (typeof external !== 'object' || external === null || !('api_key' in external)) return [];
  const { api_key: apiKey } = external;
  if (typeof apiKey !== 'string' || !hasReservedPrefix(apiKey)) return [];
  return [RESERVED_PREFIX.at('external.api_key')];
}

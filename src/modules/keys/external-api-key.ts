import type { ReasonedIssue } from '../../http/errors/issue.js';

/** The fewest characters of a secret that a partner brings. */
export const MINIMUM_EXTERNAL_API_KEY_LENGTH = 32;

/** The most: a header with it stays far below what proxies and Node.js take (8 KiB and 16 KiB). */
export const MAXIMUM_EXTERNAL_API_KEY_LENGTH = 512;

/** What a bearer token is made of (RFC 6750, section 2.1), since anything else could not be sent. */
export const EXTERNAL_API_KEY_PATTERN = '^[A-Za-z0-9._~+/-]+=*$';

/**
 * How the credentials and codes begin that this service makes, of any version. They are refused as a partner's secret, so that the
 * beginning alone tells the two apart: a mistyped key of ours is refused without a query.
 */
const RESERVED = /^(?:mk|sk|cs|ac)-gate-/i;

/** Whether a credential, by its form alone, can be a secret that a partner has brought. */
export function canBeExternalApiKey(credential: string): boolean {
  return (
    credential.length >= MINIMUM_EXTERNAL_API_KEY_LENGTH &&
    credential.length <= MAXIMUM_EXTERNAL_API_KEY_LENGTH &&
    !RESERVED.test(credential)
  );
}

/** A secret that a partner brings does not begin like one that this service makes. */
export function withoutReservedPrefix(body: Readonly<Record<string, unknown>>): ReasonedIssue[] {
  const { external } = body;
  if (typeof external !== 'object' || external === null || !('api_key' in external)) return [];
  const { api_key: apiKey } = external;
  if (typeof apiKey !== 'string' || !RESERVED.test(apiKey)) return [];
  const message = 'must not begin like a credential that this service makes (mk-gate-, sk-gate-, cs-gate-, ac-gate-)';
  return [{ path: 'external.api_key', message, reason: 'reserved_api_key_prefix' }];
}

import { importJWK, type JWK } from 'jose';
import { isOfBoundedSize, MAXIMUM_MODULUS_LENGTH } from '../../../http/addresses/published-keys.js';

/** The members of a public key that are kept: nothing of a private one (RFC 7518, section 6). */
const MEMBERS = ['kty', 'kid', 'alg', 'use', 'crv', 'x', 'y', 'n', 'e'] as const;

/** Members of private and symmetric keys. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** The algorithm that a key verifies signatures of; undefined for keys of other kinds. */
export function algorithmOf({ kty, crv }: JWK): 'ES256' | 'RS256' | undefined {
  if (kty === 'EC' && crv === 'P-256') return 'ES256';
  return kty === 'RSA' ? 'RS256' : undefined;
}

/** Whether a key may be used: one for signatures, of a kind and a size that tokens are verified with. */
export function isUsable(key: JWK): boolean {
  const algorithm = algorithmOf(key);
  if (algorithm === undefined || (key.alg ?? algorithm) !== algorithm || (key.use ?? 'sig') !== 'sig') return false;
  return isOfBoundedSize(key);
}

/**
 * A public key as it is kept, from what a caller has sent.
 *
 * @returns what is wrong with it, for what is no such key; a private key is refused, so that it is not stored here as well
 */
export async function publicKeyOf(value: object): Promise<JWK | string> {
  const given = value as Readonly<Record<string, unknown>>;
  if (PRIVATE_MEMBERS.some((member) => given[member] !== undefined))
    return 'must be a public key, and is a private one';
  const key: JWK = {};
  for (const member of MEMBERS) {
    const text = given[member];
    if (text === undefined) continue;
    if (typeof text !== 'string' || text.length > MAXIMUM_MODULUS_LENGTH) return `has no valid ${member}`;
    key[member] = text;
  }
  const algorithm = algorithmOf(key);
  if (algorithm === undefined || !isUsable(key))
    return 'must be a key for signatures, EC of the curve P-256 or RSA of at most 8,192 bits';
  return importJWK(key, algorithm).then(
    () => (algorithm === 'RS256' && modulusBits(key) < 2_048 ? 'must have a modulus of at least 2,048 bits' : key),
    () => 'is not a valid key',
  );
}

function modulusBits({ n = '' }: JWK): number {
  const bytes = Buffer.from(n, 'base64url');
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first]!) + 24;
}

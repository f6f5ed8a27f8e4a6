import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts an ID token with a key that only the cookie of its session gives, so that neither the database nor the deployment's keys
 * tell what is in it.
 *
 * @param cookie the value of the cookie
 */
export function sealIdToken(cookie: string, idToken: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(cookie), nonce);
  return Buffer.concat([nonce, cipher.update(idToken, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts what {@link sealIdToken} has encrypted. @throws Error for another cookie, or other bytes */
export function openIdToken(cookie: string, sealed: Buffer): string {
  const decipher = createDecipheriv(ALGORITHM, keyOf(cookie), sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  }).setAuthTag(sealed.subarray(-TAG_BYTES));
  return decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

/** RFC 5869. */
function keyOf(cookie: string): Buffer {
  return Buffer.from(hkdfSync('sha256', cookie, '', 'gatehouse id token', 32));
}

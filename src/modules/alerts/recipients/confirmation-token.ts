import { createHash, randomBytes } from 'node:crypto';

/** 256 bits. */
const SECRET_BYTES = 32;

/** The organization, by which the row is found on one node, and the secret. */
const TOKEN = /^([A-Za-z0-9_-]{1,100})\.([A-Za-z0-9_-]{43})$/;

/** A token as it is stored: whose it is, and its digest. */
export interface StoredToken {
  readonly organizationId: string;
  /** SHA-256. */
  readonly hash: Buffer;
}

/** Makes the token of a confirmation link. @returns the token for the link, and the digest of it that is stored */
export function newConfirmationToken(organizationId: string): { readonly token: string; readonly hash: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { token: `${organizationId}.${secret}`, hash: digestOf(secret) };
}

/** What is stored of a token. @param token as the link has it @returns undefined for a text that no token has the form of */
export function storedTokenOf(token: string): StoredToken | undefined {
  const [, organizationId, secret] = TOKEN.exec(token) ?? [];
  return organizationId === undefined || secret === undefined ? undefined : { organizationId, hash: digestOf(secret) };
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

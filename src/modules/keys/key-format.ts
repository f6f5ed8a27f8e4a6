import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { CredentialKind } from '../../auth/principal.js';

/** The kinds of credential that are keys; the third kind is a Connect client's secret. */
export type ApiKeyKind = Exclude<CredentialKind, 'client_secret'>;

/** The prefix tells people and secret scanners what they have found (DECISIONS.md, section 3). */
const PREFIXES: Readonly<Record<CredentialKind, string>> = {
  management_key: 'mk-gate-v1-',
  api_key: 'sk-gate-v1-',
  client_secret: 'cs-gate-v1-',
};

const AUTHORIZATION_CODE_PREFIX = 'ac-gate-v1-';

const SECRET_BYTES = 32;

const CREDENTIAL = /^([a-z]{2}-gate-v1-)([0-9a-f]{64})([0-9a-f]{8})$/;

/** A secret that was just made: the only time that it is known in full. */
export interface IssuedSecret {
  readonly plaintext: string;
  /** SHA-256 of the plaintext: what is kept. */
  readonly hash: Buffer;
  /** The plaintext, masked. */
  readonly label: string;
}

/** Makes a credential: its kind's prefix, 256 random bits in hex, and the CRC-32 of both. */
export function issueCredential(kind: CredentialKind): IssuedSecret {
  return issue(PREFIXES[kind]);
}

/** Makes an authorization code, in the same form. */
export function issueAuthorizationCode(): IssuedSecret {
  return issue(AUTHORIZATION_CODE_PREFIX);
}

/**
 * The kind of a credential, from its form alone.
 *
 * @returns undefined for what Gatehouse cannot have made: an unknown prefix, or a checksum that does not fit, as after a
 * slip in typing. It is refused without a query.
 */
export function credentialKindOf(credential: string): CredentialKind | undefined {
  const [, prefix, random, checksum] = CREDENTIAL.exec(credential) ?? [];
  if (prefix === undefined || checksumOf(`${prefix}${random}`) !== checksum) return undefined;
  return (Object.keys(PREFIXES) as CredentialKind[]).find((kind) => PREFIXES[kind] === prefix);
}

/** The SHA-256 of a secret: what the database knows it by. */
export function hashSecret(plaintext: string): Buffer {
  return createHash('sha256').update(plaintext).digest();
}

function issue(prefix: string): IssuedSecret {
  const body = `${prefix}${randomBytes(SECRET_BYTES).toString('hex')}`;
  const plaintext = `${body}${checksumOf(body)}`;
  return { plaintext, hash: hashSecret(plaintext), label: labelOf(plaintext, prefix) };
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

function labelOf(plaintext: string, prefix: string): string {
  return `${plaintext.slice(0, prefix.length + 3)}...${plaintext.slice(-3)}`;
}

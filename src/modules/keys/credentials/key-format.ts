import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { CREDENTIAL_KINDS, type CredentialKind, SECRET_PREFIXES, type SecretKind } from '../../../auth/principal.js';

const BASE62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const BASE62 = BigInt(BASE62_DIGITS.length);

/** As many digits as the largest 128-bit number has. */
const ORGANIZATION_PART_LENGTH = 22;

/** More than any 128-bit number. */
const BEYOND_128_BITS = 1n << 128n;

const ORGANIZATION_ID = /^org_([0-9a-f]{32})$/;

/**
 * The id of an organization as a credential states it: the UUID in base62, with leading zeros, so that each id has exactly
 * one form.
 *
 * @throws RangeError for an id in another form than those of `newOrganizationId`
 */
export function organizationPartOf(organizationId: string): string {
  const hex = ORGANIZATION_ID.exec(organizationId)?.[1];
  if (hex === undefined) throw new RangeError(`${organizationId} is not the id of an organization`);
  let digits = '';
  for (let rest = BigInt(`0x${hex}`); rest > 0n; rest /= BASE62)
    digits = BASE62_DIGITS.charAt(Number(rest % BASE62)) + digits;
  return digits.padStart(ORGANIZATION_PART_LENGTH, BASE62_DIGITS.charAt(0));
}

/** The id of the organization that a credential states; undefined for a text that states none. */
export function organizationIdOf(part: string): string | undefined {
  if (part.length !== ORGANIZATION_PART_LENGTH) return undefined;
  let number = 0n;
  for (const character of part) {
    const digit = BASE62_DIGITS.indexOf(character);
    if (digit === -1) return undefined;
    number = number * BASE62 + BigInt(digit);
  }
  return number < BEYOND_128_BITS ? `org_${number.toString(16).padStart(32, '0')}` : undefined;
}

/** The kinds of credential that are keys; the third kind is a Connect client's secret. */
export const KEY_KINDS = ['management_key', 'api_key'] as const satisfies readonly CredentialKind[];

export type ApiKeyKind = (typeof KEY_KINDS)[number];

const KINDS_BY_PREFIX: ReadonlyMap<string, SecretKind> = new Map(
  Object.entries(SECRET_PREFIXES).map(([kind, prefix]) => [prefix, kind as SecretKind]),
);

const RANDOM_BYTES = 32;

const CHECKSUM_LENGTH = 8;

/** Version 1 states no organization (docs/adr/0015-organization-in-credentials.md). */
const SECRET = /^([a-z]{2})-gate-(?:v1|v2-([0-9A-Za-z]{22}))-[0-9a-f]{64}([0-9a-f]{8})$/;

/** A new secret, which is known in full only now. */
export interface IssuedSecret {
  readonly plaintext: string;
  /** SHA-256 of the plaintext, which is stored. */
  readonly hash: Buffer;
  /** The plaintext, masked. */
  readonly label: string;
}

/** What a well-formed secret is looked up by. */
export interface SecretReference {
  /** The organization that the secret states; null for a secret of version 1, which states none. */
  readonly organizationId: string | null;
  /** SHA-256 of the secret. */
  readonly hash: Buffer;
}

/** A secret that states its organization. */
export interface SecretInOrganization extends SecretReference {
  readonly organizationId: string;
}

/** Whether a secret states its organization: one of version 1 does not. */
export function statesOrganization(secret: SecretReference): secret is SecretInOrganization {
  return secret.organizationId !== null;
}

/** A well-formed credential. Whether there is such a credential only the database knows. */
export interface CredentialReference extends SecretReference {
  readonly kind: CredentialKind;
}

/**
 * Makes a secret: the prefix of its kind, its organization, 256 random bits in hex, and the CRC-32 of all of these.
 *
 * @throws RangeError for an id that is not an organization's
 */
export function issueSecret(kind: SecretKind, organizationId: string): IssuedSecret {
  return storedSecret(composeSecret(kind, organizationId, randomBytes(RANDOM_BYTES)));
}

/** What is stored of a secret. @param plaintext a well-formed one that states its organization */
export function storedSecret(plaintext: string): IssuedSecret {
  return { plaintext, hash: hashSecret(plaintext), label: labelOf(plaintext) };
}

/**
 * Reads a credential of either version.
 *
 * @returns undefined for an unknown prefix or version, an organization that cannot exist, or a wrong checksum, as after a
 *   typing error; such a credential is refused without a query
 */
export function readCredential(text: string): CredentialReference | undefined {
  const secret = readSecret(text);
  return secret !== undefined && isCredential(secret) ? secret : undefined;
}

function isCredential(secret: SecretReference & { readonly kind: SecretKind }): secret is CredentialReference {
  return (CREDENTIAL_KINDS as readonly SecretKind[]).includes(secret.kind);
}

/** Reads an authorization code of either version. @returns undefined for any other text, which is refused without a query */
export function readAuthorizationCode(text: string): SecretReference | undefined {
  return readSecretOfKind('authorization_code', text);
}

/** Reads a secret of one kind that states its organization. @returns undefined for any other text */
export function readSecretInOrganization(kind: SecretKind, text: string): SecretInOrganization | undefined {
  const secret = readSecretOfKind(kind, text);
  return secret !== undefined && statesOrganization(secret) ? secret : undefined;
}

/**
 * The secret of some random bits.
 *
 * @param random 32 bytes
 * @throws RangeError for an id that is not an organization's
 */
export function composeSecret(kind: SecretKind, organizationId: string, random: Buffer): string {
  const body = `${SECRET_PREFIXES[kind]}-gate-v2-${organizationPartOf(organizationId)}-${random.toString('hex')}`;
  return `${body}${checksumOf(body)}`;
}

/** The SHA-256 of a secret, by which the database finds it. */
export function hashSecret(plaintext: string): Buffer {
  return createHash('sha256').update(plaintext).digest();
}

const HASH = /^[0-9a-f]{64}$/;

/** The hash of a secret as answers show it. @returns undefined for a text that cannot be one */
export function readHash(text: string): Buffer | undefined {
  return HASH.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/** The label leaves the organization out: it is the same for all keys in a list. */
function labelOf(plaintext: string): string {
  const [kind, name, version, , random] = plaintext.split('-');
  return `${kind}-${name}-${version}-${random!.slice(0, 3)}...${random!.slice(-3)}`;
}

function readSecretOfKind(kind: SecretKind, text: string): SecretReference | undefined {
  const secret = readSecret(text);
  return secret?.kind === kind ? secret : undefined;
}

function readSecret(text: string): (SecretReference & { readonly kind: SecretKind }) | undefined {
  const [, prefix, part, checksum] = SECRET.exec(text) ?? [];
  const kind = KINDS_BY_PREFIX.get(prefix ?? '');
  if (kind === undefined || checksumOf(text.slice(0, -CHECKSUM_LENGTH)) !== checksum) return undefined;
  const organizationId = part === undefined ? null : organizationIdOf(part);
  return organizationId === undefined ? undefined : { kind, organizationId, hash: hashSecret(text) };
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_LENGTH, '0');
}

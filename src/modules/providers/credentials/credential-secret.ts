import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { parsedIfJson } from '../../../http/input/json-bounds.js';
import { isObject } from '../../../http/validation/constraints.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';
import { labelOfKey } from '../../encryption/credential-mask.js';
import type { CredentialScheme } from './credential-scheme.js';

/** Keys of Amazon. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary keys. */
  readonly sessionToken?: string;
}

/** The key of a service account of Google. */
export interface ServiceAccountKey {
  readonly clientEmail: string;
  /** PEM of PKCS #8, or of PKCS #1. */
  readonly privateKey: string;
  readonly privateKeyId?: string;
}

/** An application of Entra ID with its secret, as an organization's own key gives it. */
export interface EntraApplication {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The longest secret, in characters: a service account's key has some 2,300, a certificate with its key some 8,000. */
const MAXIMUM_SECRET_LENGTH = 16_384;

/** The shortest modulus with which tokens are signed, in bits (RFC 7518, section 3.3). */
const SHORTEST_KEY = 2_048;

/** What is wrong with a secret for a scheme. @returns undefined for one that can be used */
export function issueOfSecret(scheme: CredentialScheme, secret: string): string | undefined {
  if (secret.length > MAXIMUM_SECRET_LENGTH) return `must have at most ${MAXIMUM_SECRET_LENGTH} characters`;
  if (scheme.scheme === 'aws') {
    return awsKeysIn(secret) ? undefined : 'must be a JSON object with access_key_id and secret_access_key';
  }
  if (scheme.scheme === 'google') {
    const privateKey = serviceAccountIn(secret)?.privateKey;
    if (privateKey === undefined) return 'must be the JSON key of a service account';
    return rsaKeyIn(privateKey)
      ? undefined
      : 'must have a private_key of RSA in PEM, of at least 2048 bits and without a passphrase';
  }
  if (scheme.scheme === 'entra' && scheme.source === 'certificate') {
    return isKeyPair(secret)
      ? undefined
      : 'must be a certificate and its private key of RSA in PEM, of at least 2048 bits and without a passphrase';
  }
  return /^[\x21-\x7e]{1,4096}$/.test(secret) ? undefined : 'must be printable ASCII characters without spaces';
}

/**
 * What is wrong with a secret that an organization gives for a scheme: an API key of that cloud, or the document that the cloud has for it.
 *
 * @param scheme undefined where there are API keys alone
 * @returns undefined for one that can be used
 */
export function issueOfOwnSecret(scheme: CredentialScheme | undefined, secret: string): string | undefined {
  if (!secret.startsWith('{') || scheme === undefined)
    return issueOfSecret({ scheme: 'key-header', header: '' }, secret);
  if (scheme.scheme !== 'entra') return issueOfSecret(scheme, secret);
  return entraApplicationIn(secret) ? undefined : 'must be a JSON object with tenant_id, client_id and client_secret';
}

/** Reads keys of Amazon from a document. @returns undefined for one that has none */
export function awsKeysIn(secret: string): AwsKeys | undefined {
  const fields = fieldsIn(secret);
  const accessKeyId = wordIn(fields, 'access_key_id');
  const secretAccessKey = wordIn(fields, 'secret_access_key');
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const sessionToken = wordIn(fields, 'session_token');
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}

/** Reads the key of a service account. Addresses in it are not used. @returns undefined for a document that is none */
export function serviceAccountIn(secret: string): ServiceAccountKey | undefined {
  const fields = fieldsIn(secret);
  const clientEmail = wordIn(fields, 'client_email');
  // Copies often have the line feeds of the key as two characters.
  const privateKey = textIn(fields, 'private_key')?.replaceAll('\\n', '\n');
  if (clientEmail === undefined || privateKey?.includes('PRIVATE KEY') !== true) return undefined;
  const privateKeyId = wordIn(fields, 'private_key_id');
  return { clientEmail, privateKey, ...(privateKeyId !== undefined && { privateKeyId }) };
}

/** Reads an application of Entra ID with its secret. @returns undefined for a document that has none */
export function entraApplicationIn(secret: string): EntraApplication | undefined {
  const fields = fieldsIn(secret);
  const tenantId = wordIn(fields, 'tenant_id');
  const clientId = wordIn(fields, 'client_id');
  const clientSecret = wordIn(fields, 'client_secret');
  if (tenantId === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return { tenantId, clientId, clientSecret };
}

/** Reads a certificate and its private key, in PEM one behind the other. @returns undefined unless there are both */
export function certificateIn(
  secret: string,
): { readonly certificate: string; readonly privateKey: string } | undefined {
  const certificate = blockIn(secret, 'CERTIFICATE');
  const privateKey = blockIn(secret, 'PRIVATE KEY') ?? blockIn(secret, 'RSA PRIVATE KEY');
  return certificate === undefined || privateKey === undefined ? undefined : { certificate, privateKey };
}

/** Reads a private key of RSA that can sign, without a passphrase: one of PKCS #8, or of PKCS #1 as `openssl` has written it. @returns undefined for anything else */
export function rsaKeyIn(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    const { asymmetricKeyType: type, asymmetricKeyDetails: { modulusLength = 0 } = {} } = key;
    return type === 'rsa' && modulusLength >= SHORTEST_KEY ? key : undefined;
  } catch {
    return undefined;
  }
}

function isKeyPair(secret: string): boolean {
  const pem = certificateIn(secret);
  const key = pem && rsaKeyIn(pem.privateKey);
  try {
    return key !== undefined && new X509Certificate(pem!.certificate).checkPrivateKey(key);
  } catch {
    return false;
  }
}

/** How a secret is shown: what a document says of who it belongs to, or else the ends of it. */
export function labelOfSecret(secret: string): string {
  return awsKeysIn(secret)?.accessKeyId ?? serviceAccountIn(secret)?.clientEmail ?? labelOfKey(secret);
}

/** The secret of a connection cannot be used: it has changed its form since it was stored. */
export function unusableSecret(): ProviderError {
  return new ProviderError('refused', 'The credential of the connection cannot be used.', { status: 401 });
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsIn(text: string): Fields | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  const value = parsedIfJson(text);
  return isObject(value) ? value : undefined;
}

function textIn(fields: Fields | undefined, name: string): string | undefined {
  const value = fields?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A text that can be a part of a header or of a form. */
function wordIn(fields: Fields | undefined, name: string): string | undefined {
  const text = textIn(fields, name);
  return text !== undefined && /^[\x21-\x7e]{1,4096}$/.test(text) ? text : undefined;
}

function blockIn(pem: string, label: string): string | undefined {
  const begin = pem.indexOf(`-----BEGIN ${label}-----`);
  const mark = `-----END ${label}-----`;
  const end = pem.indexOf(mark, begin);
  return begin < 0 || end < 0 ? undefined : pem.slice(begin, end + mark.length);
}

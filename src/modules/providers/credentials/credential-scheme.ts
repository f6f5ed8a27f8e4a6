/**
 * How a provider is shown who calls it, without the secret (docs/cloud-providers.md#credentials). It is stored with the connection; what
 * is secret is encrypted beside it. Absent from a connection, the key goes where the dialect has it.
 */
export type CredentialScheme = KeyHeaderScheme | AwsScheme | GoogleScheme | EntraScheme;

/** The API key as the value of a header. */
export interface KeyHeaderScheme {
  readonly scheme: 'key-header';
  /** In lower case; in `authorization` the key is a bearer token. */
  readonly header: string;
}

/** Signature Version 4 of Amazon. */
export interface AwsScheme {
  readonly scheme: 'aws';
  readonly source: (typeof AWS_SOURCES)[number];
  readonly region: string;
  /** The service that is signed for, such as `bedrock`. */
  readonly service: string;
}

/** An access token of Google. */
export interface GoogleScheme {
  readonly scheme: 'google';
  readonly source: (typeof GOOGLE_SOURCES)[number];
}

/** An access token of Microsoft Entra ID. */
export interface EntraScheme {
  readonly scheme: 'entra';
  readonly source: (typeof ENTRA_SOURCES)[number];
  /** Undefined where the environment says it, or the identity of the machine has it. */
  readonly tenantId?: string;
  readonly clientId?: string;
  /** What the token is for, such as `https://cognitiveservices.azure.com`. */
  readonly resource: string;
}

/** Where the keys of a signature come from: stored ones, a role by a token of a file, the container, or the machine. */
export const AWS_SOURCES = ['keys', 'web-identity', 'container', 'instance'] as const;

/** Where tokens of Google come from: a service account's key, a federated identity, or the machine. */
export const GOOGLE_SOURCES = ['service-account', 'federation', 'metadata'] as const;

/** Where tokens of Entra come from: a secret, a certificate or a federated token of an application, or the machine. */
export const ENTRA_SOURCES = ['client-secret', 'certificate', 'federated', 'managed-identity'] as const;

/** Whether the secret of a scheme comes from the connection, and not from files, variables or services of the machine. */
export function isStored(scheme: CredentialScheme): boolean {
  return scheme.scheme === 'key-header' || STORED_SOURCES.has(scheme.source);
}

const STORED_SOURCES: ReadonlySet<string> = new Set(['keys', 'service-account', 'client-secret', 'certificate']);

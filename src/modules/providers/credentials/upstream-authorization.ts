import { createHash } from 'node:crypto';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { CloudVariables } from '../../../config/cloud-variables.js';
import type { Environment } from '../../../config/environment.js';
import type { SignedRequest } from './aws-signature.js';
import { signatureHeaders } from './aws-signature.js';
import { temporaryAwsKeys } from './aws-credentials.js';
import type { AwsScheme, CredentialScheme, EntraScheme, GoogleScheme } from './credential-scheme.js';
import { type AwsKeys, awsKeysIn, entraApplicationIn, serviceAccountIn, unusableSecret } from './credential-secret.js';
import { entraToken } from './entra-tokens.js';
import { googleToken } from './google-tokens.js';
import { type Issued, TokenCache } from './token-cache.js';
import { TokenServices } from './token-service.js';

/** What a request is authorized with. */
export interface Credential {
  /** Undefined for a key in the header of the dialect. */
  readonly scheme?: CredentialScheme | undefined;
  /** The secret of the connection, or an organization's own key; null for none. */
  readonly apiKey: string | null;
  /** Whether an organization has brought it. Such a credential reaches no file, no variable and no service of the machine. */
  readonly isOwn?: boolean | undefined;
  readonly keyHeader: string;
}

/** The headers that authorize a request, and what of them nothing may show. */
export interface Authorization {
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Absent where nothing was issued for them. */
  readonly issued?: IssuedCredential;
}

/** What a token service has issued for a request. */
export interface IssuedCredential {
  /** Whether it was issued for an earlier request: another one may be accepted. */
  readonly isKept: boolean;
  /** Forgets it, because the provider has not accepted it: the next request fetches another one. */
  readonly drop: () => void;
}

/** The hexadecimal digits at the end of the header. */
const SIGNATURE_LENGTH = 64;

const NONE: Authorization = { headers: {}, secrets: [] };

/**
 * Authorizes requests to providers (docs/cloud-providers.md#credentials): by a key in a header, by a signature, or by an access token,
 * which is kept until it ends.
 */
export class UpstreamAuthorization implements OnApplicationShutdown {
  private readonly tokens = new TokenCache();
  private readonly services: TokenServices;
  private readonly variables: CloudVariables;

  constructor({ clouds, egressProxies }: Pick<Environment, 'clouds' | 'egressProxies'>) {
    this.variables = clouds;
    this.services = new TokenServices({ egressProxies });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.services.close();
  }

  /**
   * @param request what is sent, byte for byte
   * @param signal ends the waiting for a token
   * @returns at once for a key in a header
   * @throws ProviderError 401 for a credential that is refused, 503 for a token service that does not answer
   */
  of(credential: Credential, request: SignedRequest, signal: AbortSignal): Authorization | Promise<Authorization> {
    const { scheme, apiKey, isOwn = false, keyHeader } = credential;
    if (scheme === undefined || scheme.scheme === 'key-header') {
      return apiKey === null ? NONE : keyIn(scheme?.header ?? keyHeader, apiKey);
    }
    const used = isOwn ? ownScheme(scheme, apiKey) : { scheme, secret: apiKey };
    if ('header' in used) return keyIn(used.header, apiKey!);
    return used.scheme.scheme === 'aws'
      ? this.signed(used.scheme, used.secret, request, signal)
      : this.bearer(used.scheme, used.secret, signal);
  }

  private async signed(
    scheme: AwsScheme,
    secret: string | null,
    request: SignedRequest,
    signal: AbortSignal,
  ): Promise<Authorization> {
    const { keys, issued } = await this.awsKeys(scheme, secret, signal);
    const headers = await signatureHeaders(request, keys, scheme, Date.now());
    return {
      headers,
      secrets: [
        keys.secretAccessKey,
        ...(keys.sessionToken === undefined ? [] : [keys.sessionToken]),
        // It is accepted again for some minutes.
        headers['authorization']!.slice(-SIGNATURE_LENGTH),
      ],
      ...(issued !== undefined && { issued }),
    };
  }

  private async awsKeys(
    scheme: AwsScheme,
    secret: string | null,
    signal: AbortSignal,
  ): Promise<{ readonly keys: AwsKeys; readonly issued?: IssuedCredential }> {
    if (scheme.source !== 'keys') {
      const fetch = (): Promise<Issued<AwsKeys>> => temporaryAwsKeys(this.services, scheme, this.variables.aws);
      const { token, issued } = await this.issued(scheme, secret, fetch, signal);
      return { keys: token, issued };
    }
    const keys = awsKeysIn(secret ?? '');
    if (keys === undefined) throw unusableSecret();
    return { keys };
  }

  private async bearer(
    scheme: GoogleScheme | EntraScheme,
    secret: string | null,
    signal: AbortSignal,
  ): Promise<Authorization> {
    const fetch = (): Promise<Issued<string>> =>
      scheme.scheme === 'google'
        ? googleToken(this.services, scheme, secret, this.variables.google)
        : entraToken(this.services, scheme, secret, this.variables.azure);
    const { token, issued } = await this.issued(scheme, secret, fetch, signal);
    return { headers: { authorization: `Bearer ${token}` }, secrets: [token], issued };
  }

  private async issued<Token>(
    scheme: TokenScheme,
    secret: string | null,
    fetch: () => Promise<Issued<Token>>,
    signal: AbortSignal,
  ): Promise<{ readonly token: Token; readonly issued: IssuedCredential }> {
    const name = nameOf(scheme, secret);
    const { token, isKept } = await this.tokens.get(name, fetch, signal);
    return { token, issued: { isKept, drop: () => this.tokens.drop(name, token) } };
  }
}

/** The header that each cloud has for a key that is no document. */
const KEY_HEADERS = { aws: 'authorization', google: 'x-goog-api-key', entra: 'api-key' } as const;

type TokenScheme = Exclude<CredentialScheme, { scheme: 'key-header' }>;

type OwnScheme = { readonly scheme: TokenScheme; readonly secret: string } | { readonly header: string };

/**
 * How an organization's own key is used where the deployment has a scheme of a cloud: keys, a service account or an application with its
 * secret, or else as an API key of that cloud.
 */
function ownScheme(scheme: TokenScheme, key: string | null): OwnScheme {
  if (key === null) throw unusableSecret();
  switch (scheme.scheme) {
    case 'aws':
      if (awsKeysIn(key) !== undefined) return { scheme: { ...scheme, source: 'keys' }, secret: key };
      break;
    case 'google':
      if (serviceAccountIn(key) !== undefined) return { scheme: { ...scheme, source: 'service-account' }, secret: key };
      break;
    case 'entra': {
      const application = entraApplicationIn(key);
      if (application === undefined) break;
      const { tenantId, clientId, clientSecret } = application;
      return { scheme: { ...scheme, source: 'client-secret', tenantId, clientId }, secret: clientSecret };
    }
  }
  return { header: KEY_HEADERS[scheme.scheme] };
}

/** @throws ProviderError for a document, which cannot be sent in a header */
function keyIn(header: string, key: string): Authorization {
  if (key.startsWith('{')) throw unusableSecret();
  return { headers: { [header]: header === 'authorization' ? `Bearer ${key}` : key }, secrets: [] };
}

/** Names a credential in the cache of tokens without holding it. */
function nameOf(scheme: CredentialScheme, secret: string | null): string {
  return createHash('sha256')
    .update(JSON.stringify([scheme, secret]))
    .digest('base64url');
}

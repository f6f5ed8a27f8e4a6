import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import { forSeveralRequests } from '../../../concurrency/request-scope.js';
import { Environment } from '../../../config/environment.js';
import { type IssuerRequest, IssuerTransport, IssuerUnreachable } from '../../../http/addresses/issuer-transport.js';
import { type FindKey, isOfBoundedSize, PublishedKeys } from '../../../http/addresses/published-keys.js';
import type { SignInConnectionEntity } from '../entities/sign-in-connection.entity.js';

/** How long what an identity provider says of itself is kept, in milliseconds. */
const KEPT_MS = 600_000;

/** How many providers are kept, whose settings take some kilobytes each. */
const KEPT = 1_000;

/** How far the clocks of a provider and of this service may differ, in seconds. */
export const CLOCK_TOLERANCE_S = 30;

/** Where a provider says what it is, below its issuer (OpenID Connect Discovery 1.0, section 4). */
const DISCOVERY_PATH = '/.well-known/openid-configuration';

/** For how long a provider is not asked again for a key that it has not, in milliseconds. The first such token has it asked at once. */
const PAUSE_MS = 5_000;

/** The signatures of tokens that are taken: those with a key of the provider that nobody else has. */
export const SIGNATURE_ALGORITHMS = [
  'ES256',
  'RS256',
  'PS256',
  'EdDSA',
  'Ed25519',
  'ES384',
  'RS384',
  'PS384',
  'ES512',
  'RS512',
  'PS512',
];

/** What of an identity provider is needed to talk to it. */
export type ProviderSettings = Pick<SignInConnectionEntity, 'issuer' | 'clientId'> & {
  /** Null for a client without one. */
  readonly clientSecret: string | null;
};

/**
 * Talks to identity providers by OpenID Connect, with what they say of themselves (OpenID Connect Discovery 1.0), which is read once for all
 * who wait. The signatures of tokens are checked with the keys that are read from there, of ID tokens too, which may have come by a proxy
 * that ends TLS.
 */
@Injectable()
export class OidcClients {
  private readonly known = new LRUCache<string, Promise<oidc.Configuration>>({ max: KEPT, ttl: KEPT_MS });
  private readonly keys: PublishedKeys;

  constructor(
    private readonly transport: IssuerTransport,
    private readonly environment: Environment,
  ) {
    this.keys = new PublishedKeys(transport, { firstPauseMs: 0, pauseMs: PAUSE_MS, isUsable: isOfBoundedSize });
  }

  /** What is wrong with an issuer, as far as its text says. @returns undefined for one that may be asked */
  issueOfIssuer(issuer: string): string | undefined {
    return this.transport.issueOf(issuer);
  }

  /**
   * The client of a provider.
   *
   * @throws the error of the library, or IssuerUnreachable, when the provider cannot be asked or says something else of itself
   */
  async clientOf(settings: ProviderSettings): Promise<oidc.Configuration> {
    const key = keyOf(settings);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const discovered = forSeveralRequests(() => this.discover(settings));
    this.known.set(key, discovered);
    // A failure is not kept: the next one asks again.
    discovered.catch(() => this.known.delete(key));
    return discovered;
  }

  /**
   * Verifies a token with the keys that a provider publishes.
   *
   * @param verify verifies it with the keys that it is given, and is called once more if there are newer ones
   * @throws as {@link clientOf}, and the error of `verify`
   */
  async verified<Result>(settings: ProviderSettings, verify: (find: FindKey) => Promise<Result>): Promise<Result> {
    const address = async (isAgain: boolean): Promise<string> => {
      if (isAgain) this.known.delete(keyOf(settings));
      const { jwks_uri: url } = (await this.clientOf(settings)).serverMetadata();
      if (url === undefined) throw new IssuerUnreachable('its discovery document has no jwks_uri');
      return url;
    };
    return this.keys.verified({ name: settings.issuer, address }, verify);
  }

  private async discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<oidc.Configuration> {
    const allowsHttp = this.environment.oidcAllowPrivateIssuers && issuer.startsWith('http:');
    return oidc.discovery(
      new URL(issuer),
      clientId,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE_S },
      authenticationOf(clientSecret),
      {
        execute: allowsHttp ? [oidc.allowInsecureRequests] : [],
        [oidc.customFetch]: (url, { method, headers, body, signal }) =>
          this.ask(url, { method, headers, body: formOf(body), signal }),
      },
    );
  }

  /** A provider that does not say what it is cannot be reached, whatever else it answers. */
  private async ask(url: string, request: IssuerRequest): Promise<Response> {
    const answer = await this.transport.fetch(url, request);
    if (url.endsWith(DISCOVERY_PATH) && answer.status !== 200) {
      throw new IssuerUnreachable(`its discovery document is a ${answer.status}`);
    }
    return answer;
  }
}

function keyOf({ issuer, clientId, clientSecret }: ProviderSettings): string {
  return JSON.stringify([issuer, clientId, clientSecret]);
}

/** The body of a request to a provider: all of them are forms. */
function formOf(body: oidc.FetchBody): string | undefined {
  return body instanceof URLSearchParams || typeof body === 'string' ? body.toString() : undefined;
}

/** How the client proves itself to the token endpoint: by what the provider takes (OpenID Connect Core 1.0, section 9). */
function authenticationOf(secret: string | null): oidc.ClientAuth {
  if (secret === null) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const taken = server.token_endpoint_auth_methods_supported;
    const authenticate = taken === undefined || taken.includes('client_secret_basic') ? basic : post;
    authenticate(server, client, body, headers);
  };
}

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import { Environment } from '../../../config/environment.js';
import { IssuerTransport } from '../../../http/addresses/issuer-transport.js';
import type { SignInConnectionEntity } from '../entities/sign-in-connection.entity.js';

/** How long what an identity provider says of itself is kept, in milliseconds. */
const KEPT_MS = 600_000;

/** How many providers are kept, whose settings take some kilobytes each. */
const KEPT = 1_000;

/** How far the clocks of a provider and of this service may differ, in seconds. */
export const CLOCK_TOLERANCE_S = 30;

/** What of an identity provider is needed to talk to it. */
export type ProviderSettings = Pick<SignInConnectionEntity, 'issuer' | 'clientId'> & {
  /** Null for a client without one. */
  readonly clientSecret: string | null;
};

/**
 * Talks to identity providers by OpenID Connect, with what they say of themselves (OpenID Connect Discovery 1.0), which is read once for all
 * who wait. The signatures of ID tokens are checked with the keys that are read from there: a token may have come by a proxy that ends TLS.
 */
@Injectable()
export class OidcClients {
  private readonly known = new LRUCache<string, Promise<oidc.Configuration>>({ max: KEPT, ttl: KEPT_MS });

  constructor(
    private readonly transport: IssuerTransport,
    private readonly environment: Environment,
  ) {}

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
    const key = JSON.stringify([settings.issuer, settings.clientId, settings.clientSecret]);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const discovered = this.discover(settings);
    this.known.set(key, discovered);
    // A failure is not kept: the next one asks again.
    discovered.catch(() => this.known.delete(key));
    return discovered;
  }

  private async discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<oidc.Configuration> {
    const allowsHttp = this.environment.oidcAllowPrivateIssuers && issuer.startsWith('http:');
    return oidc.discovery(
      new URL(issuer),
      clientId,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE_S },
      authenticationOf(clientSecret),
      {
        execute: [oidc.enableNonRepudiationChecks, ...(allowsHttp ? [oidc.allowInsecureRequests] : [])],
        [oidc.customFetch]: (url, { method, headers, body, signal }) =>
          this.transport.fetch(url, { method, headers, body: formOf(body), signal }),
      },
    );
  }
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

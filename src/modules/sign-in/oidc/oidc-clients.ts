import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import { forSeveralRequests } from '../../../concurrency/request-scope.js';
import { Environment } from '../../../config/environment.js';
import {
  isIssuerUnreachable,
  type IssuerRequest,
  IssuerTransport,
  IssuerUnreachable,
} from '../../../http/addresses/issuer-transport.js';
import { clientAuthentication, libraryFetch } from '../../../http/addresses/oauth-library.js';
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

/** The signatures of tokens that are taken: those with a private key of the provider. */
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

/** How much of an issuer that a provider states is shown, in characters. */
const LONGEST_STATED = 2_000;

/** What of an identity provider is needed to talk to it. */
export type ProviderSettings = Pick<SignInConnectionEntity, 'issuer' | 'clientId'> & {
  /** Null for a client without one. */
  readonly clientSecret: string | null;
};

/** A provider that was asked what it is. */
export interface ProviderClient {
  readonly configuration: oidc.Configuration;
  /** What the provider states, by which people are known; where that is not to be used, the text of the settings. */
  readonly issuer: string;
}

/** The discovery document of a provider is of another issuer than the one that was entered. */
export class IssuerStatedOtherwise extends Error {
  /** @param stated what the document says */
  constructor(
    readonly stated: string,
    cause: unknown,
  ) {
    super('the discovery document states another issuer', { cause });
  }
}

/** A provider has answered something else than a discovery document. */
class DiscoveryRefused extends IssuerUnreachable {}

/** Whether an error says so; the library wraps what the transport says. */
function isDiscoveryRefused(error: unknown): boolean {
  return error instanceof DiscoveryRefused || (error instanceof Error && isDiscoveryRefused(error.cause));
}

/**
 * Talks to identity providers by OpenID Connect, with what they say of themselves (OpenID Connect Discovery 1.0), which is read once for all
 * who wait. The signatures of tokens are checked with the keys that are read from there, of ID tokens too, which may have come by a proxy
 * that ends TLS.
 */
@Injectable()
export class OidcClients {
  private readonly known = new LRUCache<string, Promise<ProviderClient>>({ max: KEPT, ttl: KEPT_MS });
  /** What providers state, by what was entered, for every client. */
  private readonly issuers = new LRUCache<string, string>({ max: KEPT, ttl: KEPT_MS });
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
   * What is wrong with an issuer that is entered: its discovery document states another one.
   *
   * @returns undefined for the right one, and for one that cannot be asked now
   */
  async issueOfStatedIssuer(settings: ProviderSettings): Promise<string | undefined> {
    const stated = await this.clientOf(settings).then(
      ({ issuer }) => issuer,
      (error: unknown) => (error instanceof IssuerStatedOtherwise ? error.stated : settings.issuer),
    );
    if (stated === settings.issuer) return undefined;
    return `must be what the discovery document states, exactly: ${stated.slice(0, LONGEST_STATED)}`;
  }

  /**
   * The client of a provider.
   *
   * @throws the error of the library, or IssuerUnreachable, when the provider cannot be asked
   * @throws IssuerStatedOtherwise when it says of itself that it is another one
   */
  async clientOf(settings: ProviderSettings): Promise<ProviderClient> {
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
      const client = isAgain ? await this.renewed(settings) : await this.clientOf(settings);
      const { jwks_uri: url } = client.configuration.serverMetadata();
      if (url === undefined) throw new IssuerUnreachable('its discovery document has no jwks_uri');
      return url;
    };
    return this.keys.verified({ name: settings.issuer, address }, verify);
  }

  /** The issuer of a provider ({@link ProviderClient}). @throws as {@link clientOf} */
  async issuerOf(settings: ProviderSettings): Promise<string> {
    return this.issuers.get(settings.issuer) ?? (await this.clientOf(settings)).issuer;
  }

  /** Asks a provider again, of which what is known so far stays unless it answers. */
  private async renewed(settings: ProviderSettings): Promise<ProviderClient> {
    const client = await this.discover(settings);
    this.known.set(keyOf(settings), Promise.resolve(client));
    return client;
  }

  /**
   * Asks a provider what it is. Its issuer is what its document states, which is compared exactly (OpenID Connect Discovery 1.0, section
   * 4.3; Core 1.0, section 3.1.3.7): one that was entered with another slash at its end, say, leads to the same document. A provider whose
   * own document is not found below the issuer that it states, as with the tenants of Entra ID that are many or Azure AD B2C, stays under
   * the text that was entered.
   */
  private async discover(settings: ProviderSettings): Promise<ProviderClient> {
    const client = await this.discovered(settings);
    this.issuers.set(settings.issuer, client.issuer);
    return client;
  }

  private async discovered(settings: ProviderSettings): Promise<ProviderClient> {
    const { issuer } = settings;
    let found: oidc.Configuration | undefined;
    let failure: unknown;
    try {
      found = await this.read(settings, issuer);
    } catch (error) {
      failure = error;
    }
    const stated = found?.serverMetadata().issuer ?? issuerStatedIn(failure);
    if (stated === undefined) throw failure;
    if (found !== undefined && stated === issuer) return { configuration: found, issuer };
    const hasOwn = found !== undefined || isSameAddress(stated, issuer);
    const own = hasOwn ? await this.ownOf(settings, stated) : undefined;
    if (own !== undefined) return { configuration: own, issuer: stated };
    if (found !== undefined) return { configuration: found, issuer };
    throw new IssuerStatedOtherwise(stated, failure);
  }

  /** The client of the issuer that a document states. @returns undefined where its own document does not say the same */
  private async ownOf(settings: ProviderSettings, stated: string): Promise<oidc.Configuration | undefined> {
    if (this.issueOfIssuer(stated) !== undefined) return undefined;
    try {
      const own = await this.read(settings, stated);
      return own.serverMetadata().issuer === stated ? own : undefined;
    } catch (error) {
      // While it cannot be asked, nothing says that it has none.
      if (isIssuerUnreachable(error) && !isDiscoveryRefused(error)) throw error;
      return undefined;
    }
  }

  private async read({ clientId, clientSecret }: ProviderSettings, issuer: string): Promise<oidc.Configuration> {
    const allowsHttp = this.environment.oidcAllowPrivateIssuers && issuer.startsWith('http:');
    return oidc.discovery(
      new URL(issuer),
      clientId,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE_S },
      clientAuthentication(clientSecret),
      {
        execute: allowsHttp ? [oidc.allowInsecureRequests] : [],
        [oidc.customFetch]: libraryFetch((url, request) => this.ask(url, request)),
      },
    );
  }

  /** A provider that does not say what it is cannot be reached, whatever else it answers. */
  private async ask(url: string, request: IssuerRequest): Promise<Response> {
    const answer = await this.transport.fetch(url, request);
    if (url.endsWith(DISCOVERY_PATH) && answer.status !== 200) {
      throw new DiscoveryRefused(`its discovery document is a ${answer.status}`);
    }
    return answer;
  }
}

/** The issuer in a discovery document that the library refuses for it. */
function issuerStatedIn(error: unknown): string | undefined {
  if (!(error instanceof oidc.ClientError) || error.code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return undefined;
  const { body } = error.cause as { readonly body?: { readonly issuer?: unknown } };
  return typeof body?.issuer === 'string' ? body.issuer : undefined;
}

/** Whether the documents of two issuers have one address: they differ in a slash at the end, or in how the host is written. */
function isSameAddress(one: string, other: string): boolean {
  const [first, second] = [one, other].map((issuer) => (URL.canParse(issuer) ? new URL(issuer).href : issuer));
  return first!.replace(/\/$/, '') === second!.replace(/\/$/, '');
}

function keyOf({ issuer, clientId, clientSecret }: ProviderSettings): string {
  return JSON.stringify([issuer, clientId, clientSecret]);
}

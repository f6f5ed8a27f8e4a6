import { Injectable } from '@nestjs/common';
import {
  createLocalJWKSet,
  type CryptoKey,
  errors,
  type FlattenedJWSInput,
  type JWK,
  type JWSHeaderParameters,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { IssuerTransport, IssuerUnreachable } from '../../../http/addresses/issuer-transport.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import type { FederationIssuerEntity } from '../entities/federation-issuer.entity.js';
import { IssuerKeysUnavailable } from '../federation.errors.js';
import { isUsable } from '../issuers/public-keys.js';

/** For how long the keys of an issuer are used without asking it again, in milliseconds. */
const MAXIMUM_AGE_MS = 600_000;

/** For how long an issuer is not asked again for a key that it has not, so that made-up keys cannot have it asked for each, in milliseconds. */
const COOLDOWN_MS = 30_000;

/** For how long an issuer is not asked again that did not answer, in milliseconds. */
const FAILURE_COOLDOWN_MS = 5_000;

/** The keys of how many issuers are kept. */
const ISSUERS = 1_000;

/** The most keys of an issuer that are used. */
const KEYS_OF_AN_ISSUER = 100;

/** An issuer as far as it says where its keys are. */
export type KeySource = Pick<
  FederationIssuerEntity,
  'organizationId' | 'id' | 'issuer' | 'jwksType' | 'jwksUrl' | 'jwksKeys'
>;

type FindKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

/** What is known of the keys of an issuer. */
interface KnownKeys {
  find?: FindKey;
  /** When they were read, in milliseconds. */
  readAt: number;
  /** When they last could not be read. */
  failedAt: number;
  reading?: Promise<FindKey>;
}

/**
 * The keys of issuers, which are read from them when a token needs them, and kept for ten minutes. However many tokens there are, with
 * whatever names of keys, an issuer is asked at most every thirty seconds, and every five while it does not answer
 * (docs/interface/token-exchange.md#keys-of-issuers).
 */
@Injectable()
export class IssuerKeys {
  private readonly known = new LRUCache<string, KnownKeys>({ max: ISSUERS });

  constructor(
    private readonly transport: IssuerTransport,
    private readonly logger: ServiceLogger,
  ) {}

  /**
   * Finds the key that a token is signed with.
   *
   * @throws JOSEError where the issuer has no such key
   * @throws IssuerKeysUnavailable where its keys cannot be read
   */
  async find(source: KeySource, header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    if (source.jwksKeys !== null) return finderOf(source.jwksKeys)(header, token);
    const known = this.knownOf(source);
    const isFresh = known.find !== undefined && Date.now() - known.readAt < MAXIMUM_AGE_MS;
    const find = isFresh ? known.find! : await this.read(source, known);
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || Date.now() - known.readAt < COOLDOWN_MS) throw error;
      return (await this.read(source, known))(header, token);
    }
  }

  /** Settings that have changed have keys of their own. */
  private knownOf({ organizationId, id, issuer, jwksType, jwksUrl }: KeySource): KnownKeys {
    const name = JSON.stringify([organizationId, id, jwksType, jwksUrl ?? issuer]);
    let known = this.known.get(name);
    if (known === undefined) {
      known = { readAt: -Infinity, failedAt: -Infinity };
      this.known.set(name, known);
    }
    return known;
  }

  /** Asks the issuer, once for all that wait for its keys. */
  private async read(source: KeySource, known: KnownKeys): Promise<FindKey> {
    if (known.reading !== undefined) return known.reading;
    const wait = known.failedAt + FAILURE_COOLDOWN_MS - Date.now();
    if (wait > 0) throw new IssuerKeysUnavailable(Math.ceil(wait / 1000));
    known.reading = this.fetched(source, known).finally(() => delete known.reading);
    return known.reading;
  }

  private async fetched(source: KeySource, known: KnownKeys): Promise<FindKey> {
    try {
      const { keys } = await this.transport.json(source.jwksUrl ?? (await this.discovered(source)));
      if (!Array.isArray(keys)) throw new IssuerUnreachable('its answer is no JWK Set');
      known.find = finderOf(keys as readonly unknown[]);
      known.readAt = Date.now();
      return known.find;
    } catch (error) {
      if (!(error instanceof IssuerUnreachable)) throw error;
      known.failedAt = Date.now();
      this.logger.warn(`the keys of the federation issuer ${source.id} cannot be read: ${error.message}`);
      throw new IssuerKeysUnavailable(FAILURE_COOLDOWN_MS / 1000);
    }
  }

  /** Where an issuer says that its keys are (OpenID Connect Discovery 1.0, section 4). */
  private async discovered({ issuer }: KeySource): Promise<string> {
    const document = await this.transport.json(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    // Section 4.3: otherwise one issuer could speak for another.
    if (document['issuer'] !== issuer) throw new IssuerUnreachable('its discovery document is of another issuer');
    const url = document['jwks_uri'];
    if (typeof url !== 'string') throw new IssuerUnreachable('its discovery document has no jwks_uri');
    return url;
  }
}

/** Finds keys among those that tokens may be signed with. */
function finderOf(keys: readonly unknown[]): FindKey {
  const isKey = (key: unknown): key is JWK => typeof key === 'object' && key !== null && isUsable(key);
  const find = createLocalJWKSet({ keys: keys.filter(isKey).slice(0, KEYS_OF_AN_ISSUER) });
  return async (header, token) => {
    try {
      return await find(header, token);
    } catch (error) {
      // Keys of issuers may be more than jose takes, such as a point that is not on the curve.
      if (error instanceof TypeError || error instanceof DOMException) throw new errors.JWKSInvalid();
      throw error;
    }
  };
}

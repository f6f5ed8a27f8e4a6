import { Injectable } from '@nestjs/common';
import { IssuerTransport, IssuerUnreachable } from '../../../http/addresses/issuer-transport.js';
import {
  type FindKey,
  finderOf,
  IssuerKeysUnreachable,
  PublishedKeys,
} from '../../../http/addresses/published-keys.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import type { FederationIssuerEntity } from '../entities/federation-issuer.entity.js';
import { IssuerKeysUnavailable } from '../federation.errors.js';
import { isUsable } from '../issuers/public-keys.js';

/** For how long an issuer is not asked again for a key that it has not: anyone may send such a token. In milliseconds. */
const PAUSE_MS = 30_000;

/** An issuer as far as it says where its keys are. */
export type KeySource = Pick<
  FederationIssuerEntity,
  'organizationId' | 'id' | 'issuer' | 'jwksType' | 'jwksUrl' | 'jwksKeys'
>;

/**
 * The keys of issuers, which are read from them when a token needs them, or are part of the settings. However many tokens there are, with
 * whatever names of keys, an issuer is asked at most every thirty seconds, and every five while it does not answer
 * (docs/interface/token-exchange.md#keys-of-issuers).
 */
@Injectable()
export class IssuerKeys {
  private readonly published: PublishedKeys;

  constructor(
    private readonly transport: IssuerTransport,
    private readonly logger: ServiceLogger,
  ) {
    this.published = new PublishedKeys(transport, { firstPauseMs: PAUSE_MS, pauseMs: PAUSE_MS, isUsable });
  }

  /**
   * Verifies a token with the keys of an issuer.
   *
   * @param verify verifies it with the keys that it is given, and is called once more if there are newer ones
   * @throws IssuerKeysUnavailable where its keys cannot be read, and the error of `verify`
   */
  async verified<Result>(source: KeySource, verify: (find: FindKey) => Promise<Result>): Promise<Result> {
    if (source.jwksKeys !== null) return verify(finderOf(source.jwksKeys, isUsable));
    const { organizationId, id, issuer, jwksType, jwksUrl } = source;
    // Settings that have changed have keys of their own.
    const name = JSON.stringify([organizationId, id, jwksType, jwksUrl ?? issuer]);
    const address = async (): Promise<string> => jwksUrl ?? this.discovered(source);
    try {
      return await this.published.verified({ name, address }, verify);
    } catch (error) {
      if (!(error instanceof IssuerKeysUnreachable)) throw error;
      if (error.reason !== undefined)
        this.logger.warn(`the keys of the federation issuer ${id} cannot be read: ${error.reason}`);
      throw new IssuerKeysUnavailable(error.retryAfterSeconds);
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

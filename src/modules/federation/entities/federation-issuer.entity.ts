import type { JWK } from 'jose';
import { Check, Column, Entity, Index } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OneOf } from '../../../persistence/one-of.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { JWKS_TYPES, type JwksType } from '../federation-settings.js';

/** An issuer whose tokens an organization exchanges (docs/interface/token-exchange.md#issuers). */
@Entity({ name: 'federation_issuers' })
@Distributed('organization')
@Index('ix_federation_issuers_page', ['organizationId', 'createdAt', 'id'])
@OneOf('ck_federation_issuers_jwks_type', 'jwks_type', JWKS_TYPES)
@Check('ck_federation_issuers_jwks_url', `(jwks_type = 'explicit_url') = (jwks_url IS NOT NULL)`)
@Check('ck_federation_issuers_jwks_keys', `(jwks_type = 'inline') = (jwks_keys IS NOT NULL)`)
@BelongsToOrganization('fk_federation_issuers_organization')
export class FederationIssuerEntity extends OrganizationRow {
  @Column({ type: 'text' })
  name: string;

  /** Exactly the claim `iss` of its tokens. */
  @Column({ type: 'text' })
  issuer: string;

  @Column({ type: 'text' })
  jwksType: JwksType;

  /** Null unless the keys are at a URL of their own. */
  @Column({ type: 'text', nullable: true })
  jwksUrl: string | null;

  /** Public keys; null unless they are part of the settings. */
  @Column({ type: 'jsonb', nullable: true })
  jwksKeys: JWK[] | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

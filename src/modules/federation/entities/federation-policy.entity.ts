import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';

/** Which tokens of an issuer are exchanged, and the API key that they act as (docs/interface/token-exchange.md#policies). */
@Entity({ name: 'federation_policies' })
@Distributed('organization')
@Index('ix_federation_policies_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_federation_policies_issuer', ['organizationId', 'issuerId'])
@Index('ix_federation_policies_key', ['organizationId', 'keyId'])
@Check('ck_federation_policies_subject', 'num_nonnulls(subject, condition) >= 1')
@BelongsToOrganization('fk_federation_policies_organization')
// An issuer that policies name is not deleted.
@ForeignKey('FederationIssuerEntity', ['organizationId', 'issuerId'], ['organizationId', 'id'], {
  name: 'fk_federation_policies_issuer',
})
@BelongsTo('fk_federation_policies_key', 'ApiKeyEntity', 'keyId')
export class FederationPolicyEntity extends OrganizationRow {
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'uuid' })
  issuerId: string;

  @Column({ type: 'uuid' })
  keyId: string;

  /** Exactly the claim `sub`; null where the condition alone decides. */
  @Column({ type: 'text', nullable: true })
  subject: string | null;

  /** One of the values of the claim `aud`. */
  @Column({ type: 'text' })
  audience: string;

  /** In the Common Expression Language; null for none. */
  @Column({ type: 'text', nullable: true })
  condition: string | null;

  /** A member of the claim `scopes`; null for any. */
  @Column({ type: 'text', nullable: true })
  requiredScope: string | null;

  /** Exactly the claim `token_type`; null for any. */
  @Column({ type: 'text', nullable: true })
  requiredTokenType: string | null;

  @Column({ type: 'boolean' })
  enabled: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

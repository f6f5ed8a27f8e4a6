import { Column, Entity, Index, Unique } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';

/** A provider of an organization's own, which no other organization sees (docs/interface/private-models.md). */
@Entity({ name: 'private_providers' })
@Distributed('organization')
@Index('ix_private_providers_page', ['organizationId', 'createdAt', 'id'])
@Unique('uq_private_providers_slug', ['organizationId', 'slug'])
@BelongsToOrganization('fk_private_providers_organization')
export class PrivateProviderEntity extends OrganizationRow {
  /** What guardrails, provider keys and requests name. */
  @Column({ type: 'text' })
  slug: string;

  /** What records name. It never changes. */
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  displayName: string;

  /** Where its endpoints are that have no address of their own; without a slash at its end. */
  @Column({ type: 'text', nullable: true })
  baseUrl: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

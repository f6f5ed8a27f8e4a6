import { Column, Entity, Index, Unique } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import type { PrivateDataPolicy } from '../private/private-endpoint.js';
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

  /** What it does with requests, as the organization says; null where it says nothing. */
  @Column({ type: 'jsonb', nullable: true })
  dataPolicy: PrivateDataPolicy | null;

  /** Codes of countries (ISO 3166-1 alpha-2), as the organization says. */
  @Column({ type: 'text', array: true, nullable: true })
  datacenters: string[] | null;

  @Column({ type: 'text', nullable: true })
  headquarters: string | null;

  @Column({ type: 'text', nullable: true })
  privacyPolicyUrl: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

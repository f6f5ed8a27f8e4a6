import { Column, Entity, Index } from 'typeorm';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OneOf } from '../../../persistence/one-of.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import {
  DECLARED_REGIONS,
  type DeclaredRegion,
  PRIVATE_ENDPOINT_STATUSES,
  type PrivateEndpointStatus,
  type PrivatePricing,
} from '../private/private-endpoint.js';

/** A deployment of a model of the catalog at a provider of an organization's own (docs/interface/private-models.md). */
@Entity({ name: 'private_endpoints' })
@Distributed('organization')
@Index('ix_private_endpoints_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_private_endpoints_provider', ['organizationId', 'providerId'])
@Index('ix_private_endpoints_active', ['organizationId', 'id'], { where: `status = 'active'` })
@OneOf('ck_private_endpoints_status', 'status', PRIVATE_ENDPOINT_STATUSES)
@OneOf('ck_private_endpoints_declared_region', 'declared_region', DECLARED_REGIONS)
@BelongsToOrganization('fk_private_endpoints_organization')
@BelongsTo('fk_private_endpoints_provider', 'PrivateProviderEntity', 'providerId')
export class PrivateEndpointEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  providerId: string;

  /** The canonical slug of the model. The catalog may lose it and get it back, so this is not a foreign key. */
  @Column({ type: 'text' })
  modelPermaslug: string;

  /** The server's own name of the model. */
  @Column({ type: 'text' })
  upstreamModelId: string;

  /** Null for the address of the provider; without a slash at its end. */
  @Column({ type: 'text', nullable: true })
  baseUrl: string | null;

  @Column({ type: 'text', nullable: true })
  declaredRegion: DeclaredRegion | null;

  /** Whether it retains nothing of requests; null where it is not declared. */
  @Column({ type: 'boolean', nullable: true })
  declaredZdr: boolean | null;

  /** US dollars for a token; null until they are given, before which it is not activated. */
  @Column({ type: 'jsonb', nullable: true })
  pricing: PrivatePricing | null;

  @Column({ type: 'text' })
  status: PrivateEndpointStatus;

  /** What was checked when the last validation passed; null if none has. */
  @Column({ type: 'text', nullable: true })
  validatedConfiguration: string | null;

  /** Whose provider keys it was validated with, which activation uses again. */
  @Column({ type: 'uuid', nullable: true })
  validatedWorkspaceId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

import { Check, Column, Entity, Index } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { BelongsTo } from '../../../persistence/belongs-to.js';
import type { DataRegion } from '../../../config/data-region.js';
import type { DestinationType } from '../destination-settings.js';
import type { FilterRules } from '../dto/filter-rules.dto.js';

/** An observability destination of a workspace. */
@Entity({ name: 'observability_destinations' })
@Distributed('organization')
@Index('ix_observability_destinations_page', ['organizationId', 'workspaceId', 'createdAt', 'id'])
@Check('ck_observability_destinations_sampling_rate', 'sampling_rate BETWEEN 0 AND 1')
@Check(
  'ck_observability_destinations_regions',
  `cardinality(regions) > 0 AND regions <@ ARRAY['global', 'europe', 'us']`,
)
@BelongsTo('fk_observability_destinations_workspace', 'WorkspaceEntity', 'workspaceId')
export class DestinationEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  workspaceId: string;

  @Column({ type: 'text', nullable: true })
  name: string | null;

  @Column({ type: 'text' })
  type: DestinationType;

  @Column({ type: 'boolean' })
  enabled: boolean;

  @Column({ type: 'boolean' })
  privacyMode: boolean;

  /** The share of generations that is reported, 0 to 1. */
  @Column({ type: 'double precision' })
  samplingRate: number;

  @Column({ type: 'boolean' })
  broadcastGenerationCost: boolean;

  @Column({ type: 'boolean' })
  broadcastGenerationIdentity: boolean;

  @Column({ type: 'boolean' })
  broadcastGenerationRequestContext: boolean;

  /** Only generations of deployments in these regions, each region once. */
  @Column({ type: 'text', array: true, default: ['global'] })
  regions: DataRegion[];

  /** Only generations of these keys; null for all. */
  @Column({ type: 'text', array: true, nullable: true })
  apiKeyHashes: string[] | null;

  @Column({ type: 'jsonb', nullable: true })
  filterRules: FilterRules | null;

  /** The connection settings as JSON, encrypted with this row's id as associated data. */
  @Column({ type: 'bytea' })
  encryptedConfig: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

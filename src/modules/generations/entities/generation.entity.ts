import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { FILTERED } from '../../usage/analytics/filtered-rows.js';
import { UNANSWERED } from '../../usage/analytics/recorded-rows.js';
import type { GenerationDetails } from '../generation-details.js';

/**
 * The record of an inference request, also of one that was refused. Rows are added, and removed when they are old: the
 * table has a partition for each month of `created_at`. What is changed later is feedback, and what is erased.
 */
@Entity({ name: 'generations' })
@Distributed('organization')
@Index('ix_generations_content', ['organizationId', 'id'], { where: 'content IS NOT NULL' })
@Index('ix_generations_filtered', ['organizationId', 'createdAt'], { where: FILTERED })
@Index('ix_generations_unanswered', ['organizationId', 'createdAt'], { where: UNANSWERED })
@Check('ck_generations_cost', 'cost_usd >= 0')
@Check('ck_generations_created', `created_at = to_timestamp(split_part(id, '-', 2)::double precision)`)
@BelongsToOrganization('fk_generations_organization')
export class GenerationEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'text' })
  id: string;

  /** The second in which the request came, which the id states as well: so an id is unique although each month has its own. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'uuid' })
  keyId: string;

  @Column({ type: 'text' })
  userId: string;

  /** Null when the organization has no default workspace any more. */
  @Column({ type: 'uuid', nullable: true })
  workspaceId: string | null;

  /** The status of the answer; 499 when the client left before there was one. */
  @Column({ type: 'integer' })
  status: number;

  /** The id of the model that answered, or that was asked for first. */
  @Column({ type: 'text' })
  model: string;

  /** The slug of the provider that answered last; null when none was asked. */
  @Column({ type: 'text', nullable: true })
  provider: string | null;

  /** Whether a provider key of the organization was used. */
  @Column({ type: 'boolean' })
  isByok: boolean;

  /** US dollars that are charged, as decimal text so that nothing is rounded. */
  @Column({ type: 'numeric' })
  costUsd: string;

  /** As the provider counted them, like those of the answer; null when unknown. */
  @Column({ type: 'bigint', nullable: true })
  promptTokens: number | null;

  @Column({ type: 'bigint', nullable: true })
  completionTokens: number | null;

  @Column({ type: 'jsonb' })
  details: GenerationDetails;

  /** What was sent and delivered, encrypted; null where the workspace does not have it logged. */
  @Column({ type: 'bytea', nullable: true })
  content: Buffer | null;
}

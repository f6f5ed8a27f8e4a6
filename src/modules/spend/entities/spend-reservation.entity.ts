import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordedType } from '../../../telemetry/operations.js';
import type { Labels } from '../../labels/labels.js';
import type { LimitHold } from '../../limits/limit-counters.js';
import { Distributed } from '../../../persistence/distribution.js';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';

/**
 * What a request that is being answered may cost at most (docs/budgets.md#reservations). The statement that writes its record deletes
 * it.
 */
@Entity({ name: 'spend_reservations' })
@Distributed('organization')
@Check('ck_spend_reservations_amounts', 'amount_usd >= 0 AND byok_amount_usd >= 0')
@Check(
  'ck_spend_reservations_created',
  `created_at = to_timestamp(split_part(generation_id, '-', 2)::double precision)`,
)
@BelongsToOrganization('fk_spend_reservations_organization')
export class SpendReservationEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'text' })
  generationId: string;

  /** The process that answers the request, in `live_processes`. */
  @Column({ type: 'uuid' })
  processId: string;

  @Column({ type: 'uuid' })
  keyId: string;

  @Column({ type: 'text' })
  userId: string;

  /** Null when the organization has no default workspace any more. */
  @Column({ type: 'uuid', nullable: true })
  workspaceId: string | null;

  /** The second in which the request came, which decides in which windows it counts. */
  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** US dollars, if a provider key of the deployment is used. */
  @Column({ type: 'numeric' })
  amountUsd: string;

  /** US dollars, if a provider key of the organization's own is used. */
  @Column({ type: 'numeric' })
  byokAmountUsd: string;

  /** What is reserved of limits by condition and group; null where none applies. */
  @Column({ type: 'jsonb', nullable: true })
  holds: LimitHold[] | null;

  /** What the record says if its process dies. */
  @Column({ type: 'jsonb' })
  request: ReservedRequest;
}

/** What is known of a request when it is sent to a provider. */
export interface ReservedRequest {
  readonly requestId: string;
  readonly requestedModel: string;
  /** The model that is asked first. */
  readonly model: string;
  /** The tag of its endpoint; absent where a replica of an earlier release has reserved. */
  readonly endpoint?: string;
  readonly apiType: RecordedType;
  readonly streamed: boolean;
  /** Absent for none. */
  readonly externalUser?: string;
  readonly sessionId?: string;
  readonly labels?: Labels;
}

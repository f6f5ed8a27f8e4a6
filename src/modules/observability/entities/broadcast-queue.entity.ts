import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import type { BodyEncoding } from '../delivery/destination-adapter.js';
import type { QueueState } from '../delivery/queue-state.js';

/** What waits for one destination, and how sending to it has gone. */
@Distributed('organization')
@Entity({ name: 'broadcast_queues' })
@Check('ck_broadcast_queues_state', `state IN ('active', 'retrying', 'paused', 'gone')`)
@Check('ck_broadcast_queues_encoding', `encoding IN ('json', 'protobuf')`)
@BelongsToOrganization('fk_broadcast_queues_organization')
export class BroadcastQueueEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid' })
  destinationId: string;

  @Column({ type: 'text', default: 'active' })
  state: QueueState;

  /** Nothing is sent before. */
  @Column({ type: 'timestamptz', precision: 3 })
  nextAt: Date;

  /** The lease of the process that sends now. */
  @Column({ type: 'uuid', nullable: true })
  leaseId: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil: Date | null;

  /** Failures in a row. */
  @Column({ type: 'integer', default: 0 })
  failures: number;

  /** The encoding that the receiver has taken last. */
  @Column({ type: 'text', nullable: true })
  encoding: BodyEncoding | null;

  /** What was enqueued until then is not sent, because the address has changed since. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dropBefore: Date | null;

  @Column({ type: 'integer', nullable: true })
  lastStatus: number | null;

  @Column({ type: 'text', nullable: true })
  lastError: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastErrorAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSuccessAt: Date | null;

  @Column({ type: 'bigint', default: 0 })
  delivered: number;

  /** Spans that the receiver has said it did not keep of what it took. */
  @Column({ type: 'bigint', default: 0 })
  rejectedSpans: number;

  /** The last that it has said of them, without secrets. */
  @Column({ type: 'text', nullable: true })
  lastNote: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastNoteAt: Date | null;

  /** Generations that were given up. */
  @Column({ type: 'bigint', default: 0 })
  dropped: number;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';

/** A generation that waits to be sent to at least one destination. The delivery to the last one deletes it. */
@Distributed('organization')
@Entity({ name: 'broadcast_events' })
@Index('ix_broadcast_events_enqueued', ['enqueuedAt'])
@BelongsToOrganization('fk_broadcast_events_organization')
export class BroadcastEventEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'text' })
  generationId: string;

  /** The key of the request, whose hash may change while the event waits. */
  @Column({ type: 'uuid' })
  keyId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  enqueuedAt: Date;

  /** How large the event is when it is read, which is more than what is stored. */
  @Column({ type: 'integer' })
  bytes: number;

  /** The event without its content, encrypted and bound to organization and generation. */
  @Column({ type: 'bytea' })
  payload: Buffer;

  /** Its content, encrypted in the same way; null when no destination that gets it waits for it any more. */
  @Column({ type: 'bytea', nullable: true })
  content: Buffer | null;
}

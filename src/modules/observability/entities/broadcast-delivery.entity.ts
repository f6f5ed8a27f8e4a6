import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';

/** A generation that waits to be sent to one destination. */
@Distributed('organization')
@Entity({ name: 'broadcast_deliveries' })
@Index('ix_broadcast_deliveries_queue', ['organizationId', 'destinationId', 'enqueuedAt', 'generationId'])
@BelongsToOrganization('fk_broadcast_deliveries_organization')
export class BroadcastDeliveryEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'text' })
  generationId: string;

  @PrimaryColumn({ type: 'uuid' })
  destinationId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  enqueuedAt: Date;

  /** Whether the destination was not private when the generation was recorded. */
  @Column({ type: 'boolean' })
  getsContent: boolean;

  /** How often the receiver failed on it alone while it took others. */
  @Column({ type: 'smallint', default: 0 })
  tries: number;
}

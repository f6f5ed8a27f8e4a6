import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';

/** A process that answers requests. When its time is over, it is dead, and others charge what it had reserved. */
@Entity({ name: 'live_processes' })
@Distributed('local')
export class LiveProcessEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /** The end of the lease on the clock of the database; the process renews it while it is alive. */
  @Column({ type: 'timestamptz', precision: 3 })
  aliveUntil: Date;
}

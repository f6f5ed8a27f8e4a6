import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';

/** A process that answers requests, and its lease. When that is over the process is dead, and others charge what it had reserved. */
@Entity({ name: 'live_processes' })
@Distributed('local')
export class LiveProcessEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /**
   * `-infinity` once another process has taken this one for dead: its lease cannot be renewed then. Otherwise some time after the last
   * renewal on the clock of the database, which no process compares with that clock: each measures with its own how long a row has stayed
   * as it is.
   */
  @Column({ type: 'timestamptz', precision: 3 })
  aliveUntil: Date;
}

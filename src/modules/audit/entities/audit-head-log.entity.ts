import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When the heads of all chains were last written to the log, by whichever replica: one row. */
@Entity({ name: 'audit_head_log' })
export class AuditHeadLogEntity {
  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'pk_audit_head_log' })
  id: number;

  @Column({ name: 'logged_at', type: 'timestamptz', precision: 3 })
  loggedAt: Date;
}

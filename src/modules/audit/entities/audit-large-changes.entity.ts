import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The digest of what an event holds of changed fields, where that is more than a page can show: only events that were
 * recorded before there was a bound. Rows are only ever added.
 */
@Entity({ name: 'audit_large_changes' })
export class AuditLargeChangesEntity {
  @PrimaryColumn({ name: 'event_id', type: 'uuid', primaryKeyConstraintName: 'pk_audit_large_changes' })
  eventId: string;

  /** Over the changes as PostgreSQL writes them. */
  @Column({ type: 'bytea' })
  sha256: Buffer;

  /** How long that text is, in bytes of UTF-8. */
  @Column({ type: 'integer' })
  bytes: number;
}

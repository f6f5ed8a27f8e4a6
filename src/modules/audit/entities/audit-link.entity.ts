import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/**
 * An event's place in the chain of its organization. A trigger adds it when the event's transaction commits, so that the
 * chain is held up by nothing else. Rows are only ever added.
 */
@Entity({ name: 'audit_links' })
@Unique('uq_audit_links_event', ['eventId'])
@Index('ix_audit_links_actor', ['organizationId', 'actor', 'sequence'])
@Index('ix_audit_links_action', ['organizationId', 'action', 'sequence'])
@Index('ix_audit_links_target', ['organizationId', 'targetId', 'sequence'])
@Index('ix_audit_links_created', ['organizationId', 'createdAt', 'sequence'])
export class AuditLinkEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_audit_links' })
  organizationId: string;

  /** From 1, without a gap. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'pk_audit_links' })
  sequence: string;

  @Column({ name: 'event_id', type: 'uuid' })
  eventId: string;

  /** SHA-256 over the hash before it, the sequence and the event. */
  @Column({ type: 'bytea' })
  hash: Buffer;

  /** The event's actor, or the kind of one that has no id. A copy to search by, as all that follows. */
  @Column({ type: 'text' })
  actor: string;

  @Column({ type: 'text' })
  action: string;

  @Column({ name: 'target_id', type: 'text' })
  targetId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

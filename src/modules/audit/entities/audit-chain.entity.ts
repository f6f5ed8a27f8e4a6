import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/**
 * An event's place in the chain of its organization. A trigger adds it when the event's transaction commits, so that the
 * chain is locked only briefly. Rows are only added.
 */
@Entity({ name: 'audit_links' })
@Unique('uq_audit_links_event', ['organizationId', 'eventId'])
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

  /** The event's actor, or its kind if it has no id. This and the following columns are copies for searching. */
  @Column({ type: 'text' })
  actor: string;

  @Column({ type: 'text' })
  action: string;

  @Column({ name: 'target_id', type: 'text' })
  targetId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** The last link of an organization's chain. Adding a link locks this row. */
@Entity({ name: 'audit_heads' })
export class AuditHeadEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_audit_heads' })
  organizationId: string;

  @Column({ type: 'bigint' })
  sequence: string;

  @Column({ type: 'bytea' })
  hash: Buffer;
}

/** When the heads of all chains were last written to the log by any replica: one row. */
@Entity({ name: 'audit_head_log' })
export class AuditHeadLogEntity {
  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'pk_audit_head_log' })
  id: number;

  @Column({ name: 'logged_at', type: 'timestamptz', precision: 3 })
  loggedAt: Date;
}

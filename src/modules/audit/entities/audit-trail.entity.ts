import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import type { ActorKind } from '../dto/audit-event.dto.js';
import type { AuditedChanges } from '../audited-event.js';

/** An audit event. Rows are only added. */
@Entity({ name: 'audit_events' })
@Distributed('organization')
@Index('ix_audit_events_organization', ['organizationId', 'createdAt', 'id'])
export class AuditEventEntity extends OrganizationRow {
  @Column({ type: 'text' })
  actorKind: ActorKind;

  /** A user, or a Connect client; null for the command line and for callers without a credential. */
  @Column({ type: 'text', nullable: true })
  actorId: string | null;

  @Column({ type: 'uuid', nullable: true })
  credentialId: string | null;

  /** What was done, as `<what>.<verb>`. */
  @Column({ type: 'text' })
  action: string;

  @Column({ type: 'text' })
  targetType: string;

  @Column({ type: 'text' })
  targetId: string;

  @Column({ type: 'jsonb', nullable: true })
  changes: AuditedChanges | null;

  @Column({ type: 'text', nullable: true })
  requestId: string | null;

  @Column({ type: 'text', nullable: true })
  address: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/**
 * The digest of the changed fields of an event that are too large for a page: only for events from before there was a limit.
 * Rows are only added.
 */
@Entity({ name: 'audit_large_changes' })
@Distributed('organization')
export class AuditLargeChangesEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid' })
  eventId: string;

  /** Over the changes as PostgreSQL writes them. */
  @Column({ type: 'bytea' })
  sha256: Buffer;

  /** How long that text is, in bytes of UTF-8. */
  @Column({ type: 'integer' })
  bytes: number;
}

/**
 * An event's place in the chain of its organization. A trigger adds it when the event's transaction commits, so that the
 * chain is locked only briefly. Rows are only added.
 */
@Entity({ name: 'audit_links' })
@Distributed('organization')
@Unique('uq_audit_links_event', ['organizationId', 'eventId'])
@Index('ix_audit_links_actor', ['organizationId', 'actor', 'sequence'])
@Index('ix_audit_links_action', ['organizationId', 'action', 'sequence'])
@Index('ix_audit_links_target', ['organizationId', 'targetId', 'sequence'])
@Index('ix_audit_links_created', ['organizationId', 'createdAt', 'sequence'])
export class AuditLinkEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  /** From 1, without a gap. */
  @PrimaryColumn({ type: 'bigint' })
  sequence: string;

  @Column({ type: 'uuid' })
  eventId: string;

  /** SHA-256 over the hash before it, the sequence and the event. */
  @Column({ type: 'bytea' })
  hash: Buffer;

  /** The event's actor, or its kind if it has no id. This and the following columns are copies for searching. */
  @Column({ type: 'text' })
  actor: string;

  @Column({ type: 'text' })
  action: string;

  @Column({ type: 'text' })
  targetId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** The last link of an organization's chain. Adding a link locks this row. */
@Entity({ name: 'audit_heads' })
@Distributed('organization')
export class AuditHeadEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @Column({ type: 'bigint' })
  sequence: string;

  @Column({ type: 'bytea' })
  hash: Buffer;
}

/** When the heads of all chains were last written to the log by any replica: one row. */
@Entity({ name: 'audit_head_log' })
@Distributed('local')
export class AuditHeadLogEntity {
  @PrimaryColumn({ type: 'smallint' })
  id: number;

  @Column({ type: 'timestamptz', precision: 3 })
  loggedAt: Date;
}

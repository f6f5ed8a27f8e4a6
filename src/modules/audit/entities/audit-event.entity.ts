import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ActorKind } from '../actor-kind.js';
import type { AuditedChanges } from '../audited-event.js';

/** That something was done. Rows are only ever added. */
@Entity({ name: 'audit_events' })
@Index('ix_audit_events_organization', ['organizationId', 'createdAt', 'id'])
export class AuditEventEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_audit_events' })
  id: string;

  @Column({ name: 'organization_id', type: 'text' })
  organizationId: string;

  @Column({ name: 'actor_kind', type: 'text' })
  actorKind: ActorKind;

  /** A user, or a Connect client; null for nobody in particular. */
  @Column({ name: 'actor_id', type: 'text', nullable: true })
  actorId: string | null;

  /** The row of the credential that was used. */
  @Column({ name: 'credential_id', type: 'uuid', nullable: true })
  credentialId: string | null;

  /** What was done, as `<what>.<verb>`. */
  @Column({ type: 'text' })
  action: string;

  @Column({ name: 'target_type', type: 'text' })
  targetType: string;

  @Column({ name: 'target_id', type: 'text' })
  targetId: string;

  @Column({ type: 'jsonb', nullable: true })
  changes: AuditedChanges | null;

  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId: string | null;

  @Column({ type: 'text', nullable: true })
  address: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

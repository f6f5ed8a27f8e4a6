import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** The guardrail of a key. A key has at most one; another takes its place as a row of its own. */
@Entity({ name: 'guardrail_key_assignments' })
@Unique('uq_guardrail_key_assignments_key', ['organizationId', 'keyId'])
@Index('ix_guardrail_key_assignments_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_guardrail_key_assignments_guardrail', ['organizationId', 'guardrailId', 'createdAt', 'id'])
@ForeignKey('GuardrailEntity', ['organizationId', 'guardrailId'], ['organizationId', 'id'], {
  name: 'fk_guardrail_key_assignments_guardrail',
  onDelete: 'CASCADE',
})
@ForeignKey('ApiKeyEntity', ['organizationId', 'keyId'], ['organizationId', 'id'], {
  name: 'fk_guardrail_key_assignments_key',
  onDelete: 'CASCADE',
})
export class GuardrailKeyAssignmentEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_guardrail_key_assignments' })
  id: string;

  @Column({ name: 'organization_id', type: 'text' })
  organizationId: string;

  @Column({ name: 'guardrail_id', type: 'uuid' })
  guardrailId: string;

  @Column({ name: 'key_id', type: 'uuid' })
  keyId: string;

  /** The user who assigned it; not a reference, for the assignment may outlast the user. */
  @Column({ name: 'assigned_by', type: 'text', nullable: true })
  assignedBy: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** The guardrail of a key. A key has at most one; another guardrail replaces the row. */
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
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_guardrail_key_assignments' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_guardrail_key_assignments' })
  id: string;

  @Column({ name: 'guardrail_id', type: 'uuid' })
  guardrailId: string;

  @Column({ name: 'key_id', type: 'uuid' })
  keyId: string;

  /** The user who assigned it; not a foreign key, because the assignment may outlast the user. */
  @Column({ name: 'assigned_by', type: 'text', nullable: true })
  assignedBy: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** The guardrail of a member of the organization. A member has at most one; another guardrail replaces the row. */
@Entity({ name: 'guardrail_member_assignments' })
@Unique('uq_guardrail_member_assignments_member', ['organizationId', 'userId'])
@Index('ix_guardrail_member_assignments_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_guardrail_member_assignments_guardrail', ['organizationId', 'guardrailId', 'createdAt', 'id'])
@ForeignKey('GuardrailEntity', ['organizationId', 'guardrailId'], ['organizationId', 'id'], {
  name: 'fk_guardrail_member_assignments_guardrail',
  onDelete: 'CASCADE',
})
@ForeignKey('OrganizationMemberEntity', ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'fk_guardrail_member_assignments_member',
  onDelete: 'CASCADE',
})
export class GuardrailMemberAssignmentEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_guardrail_member_assignments' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_guardrail_member_assignments' })
  id: string;

  @Column({ name: 'guardrail_id', type: 'uuid' })
  guardrailId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  /** The user who assigned it; not a foreign key, because the assignment may outlast the user. */
  @Column({ name: 'assigned_by', type: 'text', nullable: true })
  assignedBy: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

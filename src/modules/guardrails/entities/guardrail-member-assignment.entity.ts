import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** The guardrail of a member of the organization. A member has at most one; another takes its place as a row of its own. */
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
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_guardrail_member_assignments' })
  id: string;

  @Column({ name: 'organization_id', type: 'text' })
  organizationId: string;

  @Column({ name: 'guardrail_id', type: 'uuid' })
  guardrailId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  /** The user who assigned it; not a reference, for the assignment may outlast the user. */
  @Column({ name: 'assigned_by', type: 'text', nullable: true })
  assignedBy: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

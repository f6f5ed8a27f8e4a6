import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { MemberRole } from '../member-role.js';

/** A user's membership of an organization. */
@Entity({ name: 'organization_members' })
@Unique('uq_organization_members_organization_user', ['organizationId', 'userId'])
@Index('ix_organization_members_page', ['organizationId', 'createdAt', 'id'])
@Check('ck_organization_members_role', `role IN ('admin', 'member')`)
@ForeignKey('OrganizationEntity', ['organizationId'], ['id'], {
  name: 'fk_organization_members_organization',
  onDelete: 'CASCADE',
})
@ForeignKey('UserEntity', ['userId'], ['id'], { name: 'fk_organization_members_user', onDelete: 'CASCADE' })
export class OrganizationMemberEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_organization_members' })
  id: string;

  @Column({ name: 'organization_id', type: 'text' })
  organizationId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  role: MemberRole;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

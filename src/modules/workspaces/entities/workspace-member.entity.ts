import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { MemberRole } from '../../organizations/member-role.js';

/** A user's membership of a workspace. The default workspace has none: everybody in the organization is a member. */
@Entity({ name: 'workspace_members' })
@Unique('uq_workspace_members_workspace_user', ['workspaceId', 'userId'])
@Index('ix_workspace_members_page', ['organizationId', 'workspaceId', 'createdAt', 'id'])
@Index('ix_workspace_members_member', ['organizationId', 'userId'])
@Check('ck_workspace_members_role', `role IN ('admin', 'member')`)
@ForeignKey('WorkspaceEntity', ['organizationId', 'workspaceId'], ['organizationId', 'id'], {
  name: 'fk_workspace_members_workspace',
  onDelete: 'CASCADE',
})
@ForeignKey('OrganizationMemberEntity', ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'fk_workspace_members_member',
  onDelete: 'CASCADE',
})
export class WorkspaceMemberEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_workspace_members' })
  id: string;

  @Column({ name: 'organization_id', type: 'text' })
  organizationId: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  role: MemberRole;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

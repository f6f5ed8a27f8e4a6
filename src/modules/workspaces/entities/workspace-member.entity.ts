import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { MemberRole } from '../../organizations/member-role.js';

/**
 * A user's membership of a workspace with its sources: manual, from SCIM groups, or both. The default workspace has no
 * rows: all members of the organization are members.
 */
@Entity({ name: 'workspace_members' })
@Unique('uq_workspace_members_workspace_user', ['organizationId', 'workspaceId', 'userId'])
@Index('ix_workspace_members_page', ['organizationId', 'workspaceId', 'createdAt', 'id'])
@Index('ix_workspace_members_member', ['organizationId', 'userId'])
@Check('ck_workspace_members_role', `role IN ('admin', 'member')`)
@Check('ck_workspace_members_manual_role', `manual_role IN ('admin', 'member')`)
@Check('ck_workspace_members_scim_role', `scim_role IN ('admin', 'member')`)
// The higher role counts. greatest() ignores nulls.
@Check(
  'ck_workspace_members_sources',
  'role IS NOT DISTINCT FROM role_of_rank(greatest(role_rank(manual_role), role_rank(scim_role)))',
)
@ForeignKey('WorkspaceEntity', ['organizationId', 'workspaceId'], ['organizationId', 'id'], {
  name: 'fk_workspace_members_workspace',
  onDelete: 'CASCADE',
})
@ForeignKey('OrganizationMemberEntity', ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'fk_workspace_members_member',
  onDelete: 'CASCADE',
})
export class WorkspaceMemberEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_workspace_members' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_workspace_members' })
  id: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  /** The higher of the two below. */
  @Column({ type: 'text' })
  role: MemberRole;

  /** The manual role; null for members from SCIM groups only. */
  @Column({ name: 'manual_role', type: 'text', nullable: true })
  manualRole: MemberRole | null;

  /** The highest role from SCIM groups; null without one. Triggers maintain it (docs/adr/0010). */
  @Column({ name: 'scim_role', type: 'text', nullable: true })
  scimRole: MemberRole | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';
import type { MemberRole } from '../../organizations/member-role.js';

/** A group that the organization's identity provider has pushed. */
@Entity({ name: 'scim_groups' })
@Index('ix_scim_groups_page', ['organizationId', 'createdAt', 'id'])
@BelongsToOrganization('fk_scim_groups_organization')
export class ScimGroupEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_scim_groups' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_scim_groups' })
  id: string;

  @Column({ name: 'display_name', type: 'text' })
  displayName: string;

  /** The identity provider's own id (RFC 7643, section 3.1). */
  @Column({ name: 'external_id', type: 'text', nullable: true })
  externalId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

/** The membership of a user in a group. */
@Entity({ name: 'scim_group_members' })
@Index('ix_scim_group_members_member', ['organizationId', 'userId'])
@BelongsTo('fk_scim_group_members_group', 'ScimGroupEntity', 'scimGroupId')
@BelongsTo('fk_scim_group_members_member', 'OrganizationMemberEntity', 'userId', 'userId')
export class ScimGroupMemberEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_scim_group_members' })
  organizationId: string;

  @PrimaryColumn({ name: 'scim_group_id', type: 'uuid', primaryKeyConstraintName: 'pk_scim_group_members' })
  scimGroupId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', primaryKeyConstraintName: 'pk_scim_group_members' })
  userId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** The role that the members of a group have in a workspace. */
@Entity({ name: 'scim_group_mappings' })
// With the organization, so that a pair of another organization is a 404 and not a 409.
@Unique('uq_scim_group_mappings_group_workspace', ['organizationId', 'scimGroupId', 'workspaceId'])
@Index('ix_scim_group_mappings_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_scim_group_mappings_workspace', ['organizationId', 'workspaceId'])
@Check('ck_scim_group_mappings_role', `role IN ('admin', 'member')`)
@BelongsTo('fk_scim_group_mappings_group', 'ScimGroupEntity', 'scimGroupId')
@BelongsTo('fk_scim_group_mappings_workspace', 'WorkspaceEntity', 'workspaceId')
export class ScimGroupMappingEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_scim_group_mappings' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'pk_scim_group_mappings' })
  id: string;

  @Column({ name: 'scim_group_id', type: 'uuid' })
  scimGroupId: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId: string;

  @Column({ type: 'text' })
  role: MemberRole;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

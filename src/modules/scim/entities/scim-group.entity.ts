import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { OneOf } from '../../../persistence/one-of.js';
import { MEMBER_ROLES, type MemberRole } from '../../../auth/roles.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';

/** A group that the organization's identity provider has pushed. */
@Entity({ name: 'scim_groups' })
@Distributed('organization')
@Index('ix_scim_groups_page', ['organizationId', 'createdAt', 'id'])
@BelongsToOrganization('fk_scim_groups_organization')
export class ScimGroupEntity extends OrganizationRow {
  @Column({ type: 'text' })
  displayName: string;

  /** The identity provider's own id (RFC 7643, section 3.1). */
  @Column({ type: 'text', nullable: true })
  externalId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

/** The membership of a user in a group. */
@Entity({ name: 'scim_group_members' })
@Distributed('organization')
@Index('ix_scim_group_members_member', ['organizationId', 'userId'])
@BelongsTo('fk_scim_group_members_group', 'ScimGroupEntity', 'scimGroupId')
@BelongsTo('fk_scim_group_members_member', 'OrganizationMemberEntity', 'userId', 'userId')
export class ScimGroupMemberEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid' })
  scimGroupId: string;

  @PrimaryColumn({ type: 'text' })
  userId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** The role that the members of a group have in a workspace. */
@Entity({ name: 'scim_group_mappings' })
@Distributed('organization')
// With the organization, so that a pair of another organization is a 404 and not a 409.
@Unique('uq_scim_group_mappings_group_workspace', ['organizationId', 'scimGroupId', 'workspaceId'])
@Index('ix_scim_group_mappings_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_scim_group_mappings_workspace', ['organizationId', 'workspaceId'])
@OneOf('ck_scim_group_mappings_role', 'role', MEMBER_ROLES)
@BelongsTo('fk_scim_group_mappings_group', 'ScimGroupEntity', 'scimGroupId')
@BelongsTo('fk_scim_group_mappings_workspace', 'WorkspaceEntity', 'workspaceId')
export class ScimGroupMappingEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  scimGroupId: string;

  @Column({ type: 'uuid' })
  workspaceId: string;

  @Column({ type: 'text' })
  role: MemberRole;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** That a member of the organization is in a group. */
@Entity({ name: 'scim_group_members' })
@Index('ix_scim_group_members_member', ['organizationId', 'userId'])
@ForeignKey('ScimGroupEntity', ['organizationId', 'scimGroupId'], ['organizationId', 'id'], {
  name: 'fk_scim_group_members_group',
  onDelete: 'CASCADE',
})
@ForeignKey('OrganizationMemberEntity', ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'fk_scim_group_members_member',
  onDelete: 'CASCADE',
})
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

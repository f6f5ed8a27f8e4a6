import { Column, Entity, PrimaryColumn, Check, ForeignKey, Index, Unique } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import type { MemberRole } from '../member-role.js';

/** A tenant. All other data belongs to one. */
@Entity({ name: 'organizations' })
@Distributed('organization')
export class OrganizationEntity {
  /** `org_...` */
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** Whether an identity provider is connected; without it the SCIM operations do not exist for the organization. */
  @Column({ type: 'boolean', default: false })
  scimEnabled: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** A person, who may belong to several organizations. */
@Entity({ name: 'users' })
@Distributed('reference')
export class UserEntity {
  /** `user_...` */
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  email: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** A user's membership of an organization. */
@Entity({ name: 'organization_members' })
@Distributed('organization')
@Unique('uq_organization_members_organization_user', ['organizationId', 'userId'])
@Index('ix_organization_members_page', ['organizationId', 'createdAt', 'id'])
@Check('ck_organization_members_role', `role IN ('admin', 'member')`)
@BelongsToOrganization('fk_organization_members_organization')
@ForeignKey('UserEntity', ['userId'], ['id'], { name: 'fk_organization_members_user', onDelete: 'CASCADE' })
export class OrganizationMemberEntity extends OrganizationRow {
  @Column({ type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  role: MemberRole;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

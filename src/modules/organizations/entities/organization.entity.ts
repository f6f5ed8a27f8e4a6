import { Column, Entity, PrimaryColumn, Check, ForeignKey, Index, Unique } from 'typeorm';
import { MEMBER_ROLES, type MemberRole } from '../../../auth/roles.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { OneOf } from '../../../persistence/one-of.js';
import {
  CONSENT_BY,
  type ConsentBy,
  DEACTIVATED_BY,
  type DeactivatedBy,
  KEYS_OF_DEACTIVATED_MEMBERS,
  type KeysOfDeactivatedMembers,
  MEMBER_KINDS,
  type MemberKind,
} from '../member-role.js';

/** A tenant. All other data belongs to one. */
@Entity({ name: 'organizations' })
@Distributed('organization')
@OneOf('ck_organizations_keys_of_deactivated_members', 'keys_of_deactivated_members', KEYS_OF_DEACTIVATED_MEMBERS)
@OneOf('ck_organizations_consent_by', 'consent_by', CONSENT_BY)
export class OrganizationEntity {
  /** `org_...` */
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** Whether an identity provider is connected; without it the SCIM operations do not exist for the organization. */
  @Column({ type: 'boolean', default: false })
  scimEnabled: boolean;

  @Column({ type: 'text', default: 'suspend' })
  keysOfDeactivatedMembers: KeysOfDeactivatedMembers;

  /** Who may allow applications a key. */
  @Column({ type: 'text', default: 'members' })
  consentBy: ConsentBy;

  /** The highest limit of a key that is allowed to an application, in US dollars; null for any, and none. */
  @Column({ type: 'double precision', nullable: true })
  consentMaximumLimit: number | null;

  /** Whether its list of models has only those that the policy of the caller's key permits. */
  @Column({ type: 'boolean', default: false })
  isFilteredModelCatalogEnabled: boolean;

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
@Index('ix_organization_members_email', ['organizationId', 'emailKey'])
@Index('ix_organization_members_deactivated', ['organizationId', 'userId'], { where: 'deactivated_at IS NOT NULL' })
@OneOf('ck_organization_members_role', 'role', MEMBER_ROLES)
@OneOf('ck_organization_members_kind', 'kind', MEMBER_KINDS)
@OneOf('ck_organization_members_deactivated_by', 'deactivated_by', DEACTIVATED_BY)
@Check('ck_organization_members_deactivated', '(deactivated_at IS NULL) = (deactivated_by IS NULL)')
@Check('ck_organization_members_ended', 'ended_at IS NULL OR deactivated_at IS NOT NULL')
@BelongsToOrganization('fk_organization_members_organization')
@ForeignKey('UserEntity', ['userId'], ['id'], { name: 'fk_organization_members_user', onDelete: 'CASCADE' })
export class OrganizationMemberEntity extends OrganizationRow {
  @Column({ type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  role: MemberRole;

  /** What the organization calls the member; null for what its user says. */
  @Column({ type: 'text', nullable: true })
  name: string | null;

  @Column({ type: 'text', nullable: true })
  email: string | null;

  /** The address as it is compared with others (`emailKeyOf`). */
  @Column({ type: 'text', nullable: true })
  emailKey: string | null;

  /** The parts of the name where a directory has said them; otherwise the name is divided at its first space. */
  @Column({ type: 'text', nullable: true })
  givenName: string | null;

  @Column({ type: 'text', nullable: true })
  familyName: string | null;

  @Column({ type: 'text', default: 'person' })
  kind: MemberKind;

  /** Since when the member counts as nothing; null for an active one. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deactivatedAt: Date | null;

  @Column({ type: 'text', nullable: true })
  deactivatedBy: DeactivatedBy | null;

  /** Since when that is for good. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

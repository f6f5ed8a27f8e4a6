import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { BelongsTo } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';

/** What a directory says of a member that it manages (docs/interface/scim-provisioning.md#users). */
@Entity({ name: 'scim_users' })
@Distributed('organization')
@Unique('uq_scim_users_user_name', ['organizationId', 'userNameKey'])
@Index('uq_scim_users_external_id', ['organizationId', 'externalId'], {
  unique: true,
  where: 'external_id IS NOT NULL',
})
@BelongsTo('fk_scim_users_member', 'OrganizationMemberEntity', 'userId', 'userId')
export class ScimUserEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'text' })
  userId: string;

  /** As the directory has sent it. */
  @Column({ type: 'text' })
  userName: string;

  /** In lower case, by which it is unique and looked for. */
  @Column({ type: 'text' })
  userNameKey: string;

  /** The directory's own id (RFC 7643, section 3.1). */
  @Column({ type: 'text', nullable: true })
  externalId: string | null;

  /** The issuer that the token was bound to with which the directory wrote this last; null for none. */
  @Column({ type: 'text', nullable: true })
  issuer: string | null;

  /** All other attributes, as the directory has sent them, without a password. */
  @Column({ type: 'jsonb' })
  attributes: object;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

import { Column, Entity, Index, Unique } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';

/** A user of an organization's own product (docs/interface/external-users.md). */
@Entity({ name: 'external_users' })
@Distributed('organization')
@Unique('uq_external_users_external_user', ['organizationId', 'externalUser'])
@Index('ix_external_users_page', ['organizationId', 'createdAt', 'id', 'isActive'])
@BelongsToOrganization('fk_external_users_organization')
export class ExternalUserEntity extends OrganizationRow {
  /** What the organization calls the user, in whatever form. Never changed. */
  @Column({ type: 'text' })
  externalUser: string;

  @Column({ type: 'boolean' })
  isActive: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

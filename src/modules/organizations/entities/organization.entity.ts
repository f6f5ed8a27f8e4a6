import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A tenant: everything else belongs to one. */
@Entity({ name: 'organizations' })
export class OrganizationEntity {
  /** `org_...` */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_organizations' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** Whether an identity provider is connected; without it the SCIM operations do not exist for the organization. */
  @Column({ name: 'scim_enabled', type: 'boolean', default: false })
  scimEnabled: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

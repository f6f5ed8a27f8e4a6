import { Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** An application that authorization codes are made for, known by the origin of its callback URL. */
@Entity({ name: 'oauth_applications' })
@Unique('uq_oauth_applications_organization_origin', ['organizationId', 'origin'])
@Unique('uq_oauth_applications_organization_number', ['organizationId', 'number'])
@ForeignKey('OrganizationEntity', ['organizationId'], ['id'], {
  name: 'fk_oauth_applications_organization',
  onDelete: 'CASCADE',
})
export class OauthApplicationEntity {
  /** Of all organizations: never answered. */
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'pk_oauth_applications',
  })
  id: string;

  @Column({ name: 'organization_id', type: 'text' })
  organizationId: string;

  /** The `app_id` of the interface, counted by a trigger from 1 in each organization. */
  @Column({ type: 'bigint' })
  number: string;

  /** Scheme, host and port (RFC 6454, section 6.2). */
  @Column({ type: 'text' })
  origin: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

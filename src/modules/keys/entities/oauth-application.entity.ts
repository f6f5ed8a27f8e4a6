import { Column, Entity, ForeignKey, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** An application that authorization codes are made for, known by the origin of its callback URL. */
@Entity({ name: 'oauth_applications' })
@Unique('uq_oauth_applications_organization_origin', ['organizationId', 'origin'])
@ForeignKey('OrganizationEntity', ['organizationId'], ['id'], {
  name: 'fk_oauth_applications_organization',
  onDelete: 'CASCADE',
})
export class OauthApplicationEntity {
  /** The `app_id` of the interface. */
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'pk_oauth_applications',
  })
  id: number;

  @Column({ name: 'organization_id', type: 'text' })
  organizationId: string;

  /** Scheme, host and port (RFC 6454, section 6.2). */
  @Column({ type: 'text' })
  origin: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

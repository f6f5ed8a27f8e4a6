import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A company that serves models. */
@Entity({ name: 'providers' })
export class ProviderEntity {
  /** The id that guardrails name. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_providers' })
  slug: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ name: 'privacy_policy_url', type: 'text', nullable: true })
  privacyPolicyUrl: string | null;

  @Column({ name: 'status_page_url', type: 'text', nullable: true })
  statusPageUrl: string | null;

  @Column({ name: 'terms_of_service_url', type: 'text', nullable: true })
  termsOfServiceUrl: string | null;

  /** ISO 3166-1 alpha-2. */
  @Column({ type: 'text', nullable: true })
  headquarters: string | null;

  /** ISO 3166-1 alpha-2; null for unknown. */
  @Column({ type: 'text', array: true, nullable: true })
  datacenters: string[] | null;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';

/** A company that serves models. */
@Entity({ name: 'providers' })
@Distributed('local')
export class ProviderEntity {
  /** The id that guardrails name. */
  @PrimaryColumn({ type: 'text' })
  slug: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', nullable: true })
  privacyPolicyUrl: string | null;

  @Column({ type: 'text', nullable: true })
  statusPageUrl: string | null;

  @Column({ type: 'text', nullable: true })
  termsOfServiceUrl: string | null;

  /** ISO 3166-1 alpha-2. */
  @Column({ type: 'text', nullable: true })
  headquarters: string | null;

  /** ISO 3166-1 alpha-2; null for unknown. */
  @Column({ type: 'text', array: true, nullable: true })
  datacenters: string[] | null;
}

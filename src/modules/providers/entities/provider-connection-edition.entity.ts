import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';

/** The current edition of the connections: one row that a trigger updates whenever a connection changes. */
@Entity({ name: 'provider_connection_edition' })
@Distributed('local')
@Check('ck_provider_connection_edition_single', 'is_current')
export class ProviderConnectionEditionEntity {
  @PrimaryColumn({ type: 'boolean' })
  isCurrent: true;

  @Column({ type: 'uuid' })
  edition: string;
}

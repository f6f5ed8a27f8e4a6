import { Entity, PrimaryColumn } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';

/** The hash of a secret that belonged to a key and does no more: triggers write it, and no key is made with that secret again. */
@Entity({ name: 'retired_key_hashes' })
@Distributed('organization')
@BelongsToOrganization('fk_retired_key_hashes_organization')
export class RetiredKeyHashEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_retired_key_hashes' })
  organizationId: string;

  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pk_retired_key_hashes' })
  hash: Buffer;
}

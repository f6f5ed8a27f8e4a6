import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';

/** One row that only a key of the deployment decrypts, to compare keys with. */
@Entity({ name: 'encryption_state' })
@Distributed('local')
@Check('ck_encryption_state_single', 'id = 1')
export class EncryptionStateEntity {
  @PrimaryColumn({ type: 'smallint' })
  id: number;

  /** An encrypted record of which formats are read (EncryptionState). */
  @Column({ type: 'bytea' })
  sealed: Buffer;
}

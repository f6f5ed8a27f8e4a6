import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';

/** An Idempotency-Key that a change was made with. Its row is written in the transaction of the change (docs/adr/0020). */
@Entity({ name: 'idempotency_keys' })
@Distributed('organization')
@Index('ix_idempotency_keys_expiry', ['organizationId', 'expiresAt'])
@BelongsToOrganization('fk_idempotency_keys_organization')
export class IdempotencyKeyEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  /** The credential that has sent it: the same key of another one is another key. */
  @PrimaryColumn({ type: 'text' })
  credentialId: string;

  /** SHA-256 of the key. */
  @PrimaryColumn({ type: 'bytea' })
  keyHash: Buffer;

  /** HMAC-SHA-256 of method, path, query and body under the key, which says whether a request is the same. */
  @Column({ type: 'bytea' })
  fingerprint: Buffer;

  /** The status of the answer; null only within the transaction of the change. */
  @Column({ type: 'smallint', nullable: true })
  status: number | null;

  /** The answer, encrypted under what only the client has; null if it is not kept. */
  @Column({ type: 'bytea', nullable: true })
  sealedAnswer: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}

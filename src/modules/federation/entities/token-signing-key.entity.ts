import type { JWK } from 'jose';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';

/** A key that access tokens of the deployment are signed with (docs/interface/token-exchange.md#signing-keys). */
@Entity({ name: 'token_signing_keys' })
@Distributed('local')
@Index('ix_token_signing_keys_active', ['activeAt'])
export class TokenSigningKeyEntity {
  /** The `kid` of its tokens. */
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'jsonb' })
  publicJwk: JWK;

  /** The private key, encrypted by Cipher. */
  @Column({ type: 'bytea' })
  sealedPrivateJwk: Buffer;

  /** From when on it signs; it is published before. */
  @Column({ type: 'timestamptz', precision: 3 })
  activeAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

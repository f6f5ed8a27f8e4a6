import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';

/**
 * An answer that equal requests get again, where replicas have no Redis to keep it in (docs/response-cache.md). The table is unlogged: a crash of
 * PostgreSQL empties it, and a commit waits for no disk.
 */
@Entity({ name: 'cached_responses' })
@Distributed('organization')
@Index('ix_cached_responses_expiry', ['organizationId', 'expiresAt'])
@BelongsToOrganization('fk_cached_responses_organization')
@BelongsTo('fk_cached_responses_workspace', 'WorkspaceEntity', 'workspaceId')
export class CachedResponseEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid' })
  workspaceId: string;

  /** A digest of the request under the encryption key. */
  @PrimaryColumn({ type: 'bytea' })
  key: Buffer;

  /** The answer and what is known of it, encrypted. */
  @Column({ type: 'bytea' })
  sealed: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}

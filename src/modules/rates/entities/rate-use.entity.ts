import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import type { RateSubject } from '../rate-count.js';

/**
 * What a key or a workspace has used within the last minute, where replicas have no Redis to count it in (docs/limits.md#rates). The
 * table is unlogged: a crash of PostgreSQL empties it, and a commit waits for no disk.
 */
@Entity({ name: 'rate_uses' })
@Distributed('organization')
@Check('ck_rate_uses_subject', `subject IN ('workspace', 'key')`)
@BelongsToOrganization('fk_rate_uses_organization')
export class RateUseEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'text' })
  subject: RateSubject['subject'];

  /** The id of the key or of the workspace. */
  @PrimaryColumn({ type: 'uuid' })
  subjectId: string;

  /** The latest second that something was counted in, since the epoch. */
  @Column({ type: 'bigint' })
  latestSecond: number;

  /** Of each of the latest 61 seconds, at the remainder of the second by 61; empty for none. */
  @Column({ type: 'integer', array: true })
  requests: number[];

  /** Tokens of each of the latest 61 seconds, at the remainder of the second by 61; empty for none. */
  @Column({ type: 'bigint', array: true })
  tokens: number[];
}

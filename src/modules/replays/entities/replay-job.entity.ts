import { Check, Column, Entity, Index } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OneOf } from '../../../persistence/one-of.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { REPLAY_STATES, type ReplayResult, type ReplayState } from '../replay-result.js';

/** A replay of a guardrail or a limit over recorded traffic (docs/interface/replays.md). */
@Entity({ name: 'replay_jobs' })
@Distributed('organization')
@Index('ix_replay_jobs_page', ['organizationId', 'createdAt', 'id'])
@Index('uq_replay_jobs_running', ['organizationId'], { unique: true, where: "state = 'running'" })
@OneOf('ck_replay_jobs_state', 'state', REPLAY_STATES)
@Check('ck_replay_jobs_sample', 'sample > 0 AND sample <= 1')
@Check('ck_replay_jobs_subject', '(guardrail_id IS NULL) <> (limit_id IS NULL)')
@BelongsToOrganization('fk_replay_jobs_organization')
export class ReplayJobEntity extends OrganizationRow {
  /** Null for a replay of a limit. Not a foreign key: what was found outlasts the guardrail. */
  @Column({ type: 'uuid', nullable: true })
  guardrailId: string | null;

  /** Null for a replay of a guardrail. Not a foreign key either. */
  @Column({ type: 'uuid', nullable: true })
  limitId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  from: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  to: Date;

  /** The share of the records that are looked at. */
  @Column({ type: 'double precision' })
  sample: number;

  @Column({ type: 'text' })
  state: ReplayState;

  @Column({ type: 'integer' })
  readCount: number;

  /** Null before its end. */
  @Column({ type: 'jsonb', nullable: true })
  result: ReplayResult | null;

  @Column({ type: 'text', nullable: true })
  createdBy: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Until when the process that runs it has said to be alive. */
  @Column({ type: 'timestamptz', precision: 3 })
  aliveUntil: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt: Date | null;
}

import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import type { SpendInterval } from '../spend-interval.js';

/** Whose spend is summed up besides a key's. */
export type SpendSubject = 'member' | 'workspace';

/**
 * What a workspace, or a member through all keys, has spent in a window (docs/budgets.md#windows). Rows are kept when their subject is
 * gone, so that a member who leaves and returns does not begin anew.
 */
@Entity({ name: 'spend_windows' })
@Distributed('organization')
@Check('ck_spend_windows_subject', `subject IN ('member', 'workspace')`)
@Check('ck_spend_windows_interval', `"interval" IN ('lifetime', 'monthly', 'weekly', 'daily')`)
@Check('ck_spend_windows_amounts', 'amount_usd >= 0 AND byok_amount_usd >= 0')
@BelongsToOrganization('fk_spend_windows_organization')
export class SpendWindowEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'text' })
  subject: SpendSubject;

  /** The id of the workspace or of the user. */
  @PrimaryColumn({ type: 'text' })
  subjectId: string;

  @PrimaryColumn({ type: 'text' })
  interval: SpendInterval;

  /** The first day, in UTC; 1970-01-01 for the lifetime. */
  @PrimaryColumn({ type: 'date' })
  firstDay: string;

  /** US dollars, spent through the gateway's own provider keys. */
  @Column({ type: 'numeric' })
  amountUsd: string;

  /** US dollars, spent through the organization's own provider keys. */
  @Column({ type: 'numeric' })
  byokAmountUsd: string;
}

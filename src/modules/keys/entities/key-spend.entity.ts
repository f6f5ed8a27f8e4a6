import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { Distributed } from '../../../persistence/distribution.js';
import { BelongsTo } from '../../../persistence/belongs-to.js';

/** The spend of a key on a day. Triggers add each change to the key's row in `key_spend_totals`, which reads use. */
@Entity({ name: 'key_spend' })
@Distributed('organization')
@Check('ck_key_spend_amounts', 'amount_usd >= 0 AND byok_amount_usd >= 0')
@BelongsTo('fk_key_spend_key', 'ApiKeyEntity', 'keyId')
export class KeySpendEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid' })
  keyId: string;

  /** In UTC. */
  @PrimaryColumn({ type: 'date' })
  day: string;

  /** US dollars, spent through the gateway's own provider keys. */
  @Column({ type: 'numeric' })
  amountUsd: string;

  /** US dollars, spent through the organization's own provider keys. */
  @Column({ type: 'numeric' })
  byokAmountUsd: string;
}

/**
 * The spend of a key in total, and in the day, week and month of its latest day, in US dollars. Only triggers on
 * `key_spend` write it.
 */
@Entity({ name: 'key_spend_totals' })
@Distributed('organization')
@Check(
  'ck_key_spend_totals_amounts',
  `total_usd >= 0 AND byok_total_usd >= 0 AND daily_usd >= 0 AND byok_daily_usd >= 0 AND weekly_usd >= 0
    AND byok_weekly_usd >= 0 AND monthly_usd >= 0 AND byok_monthly_usd >= 0`,
)
@BelongsTo('fk_key_spend_totals_key', 'ApiKeyEntity', 'keyId')
export class KeySpendTotalsEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid' })
  keyId: string;

  /** In UTC. */
  @Column({ type: 'date' })
  latestDay: string;

  @Column({ type: 'numeric' })
  totalUsd: string;

  /** With the organization's own provider keys, as in every column with this prefix. */
  @Column({ type: 'numeric' })
  byokTotalUsd: string;

  @Column({ type: 'numeric' })
  dailyUsd: string;

  @Column({ type: 'numeric' })
  byokDailyUsd: string;

  /** The week begins on Monday (ISO 8601). */
  @Column({ type: 'numeric' })
  weeklyUsd: string;

  @Column({ type: 'numeric' })
  byokWeeklyUsd: string;

  @Column({ type: 'numeric' })
  monthlyUsd: string;

  @Column({ type: 'numeric' })
  byokMonthlyUsd: string;
}

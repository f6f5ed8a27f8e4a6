import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../../../persistence/belongs-to.js';

/** The spend of a key on a day. Triggers add each change to the key's row in `key_spend_totals`, which reads use. */
@Entity({ name: 'key_spend' })
@Check('ck_key_spend_amounts', 'amount_usd >= 0 AND byok_amount_usd >= 0')
@BelongsTo('fk_key_spend_key', 'ApiKeyEntity', 'keyId')
export class KeySpendEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_key_spend' })
  organizationId: string;

  @PrimaryColumn({ name: 'key_id', type: 'uuid', primaryKeyConstraintName: 'pk_key_spend' })
  keyId: string;

  /** In UTC. */
  @PrimaryColumn({ type: 'date', primaryKeyConstraintName: 'pk_key_spend' })
  day: string;

  /** US dollars, spent through the gateway's own provider keys. */
  @Column({ name: 'amount_usd', type: 'numeric' })
  amountUsd: string;

  /** US dollars, spent through the caller's own provider keys. */
  @Column({ name: 'byok_amount_usd', type: 'numeric' })
  byokAmountUsd: string;
}

/**
 * The spend of a key in total, and in the day, week and month of its latest day, in US dollars. Only triggers on
 * `key_spend` write it.
 */
@Entity({ name: 'key_spend_totals' })
@Check(
  'ck_key_spend_totals_amounts',
  `total_usd >= 0 AND byok_total_usd >= 0 AND daily_usd >= 0 AND byok_daily_usd >= 0 AND weekly_usd >= 0
    AND byok_weekly_usd >= 0 AND monthly_usd >= 0 AND byok_monthly_usd >= 0`,
)
@BelongsTo('fk_key_spend_totals_key', 'ApiKeyEntity', 'keyId')
export class KeySpendTotalsEntity {
  @PrimaryColumn({ name: 'organization_id', type: 'text', primaryKeyConstraintName: 'pk_key_spend_totals' })
  organizationId: string;

  @PrimaryColumn({ name: 'key_id', type: 'uuid', primaryKeyConstraintName: 'pk_key_spend_totals' })
  keyId: string;

  /** In UTC. */
  @Column({ name: 'latest_day', type: 'date' })
  latestDay: string;

  @Column({ name: 'total_usd', type: 'numeric' })
  totalUsd: string;

  /** With the caller's own provider keys, as in every column with this prefix. */
  @Column({ name: 'byok_total_usd', type: 'numeric' })
  byokTotalUsd: string;

  @Column({ name: 'daily_usd', type: 'numeric' })
  dailyUsd: string;

  @Column({ name: 'byok_daily_usd', type: 'numeric' })
  byokDailyUsd: string;

  /** The week begins on Monday (ISO 8601). */
  @Column({ name: 'weekly_usd', type: 'numeric' })
  weeklyUsd: string;

  @Column({ name: 'byok_weekly_usd', type: 'numeric' })
  byokWeeklyUsd: string;

  @Column({ name: 'monthly_usd', type: 'numeric' })
  monthlyUsd: string;

  @Column({ name: 'byok_monthly_usd', type: 'numeric' })
  byokMonthlyUsd: string;
}

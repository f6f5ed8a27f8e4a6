import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * What a key has spent altogether, and in the day, week and month of its latest day, in US dollars. Triggers on `key_spend`
 * keep it, nothing else can write it. A window whose last day is over has the amounts of a window that has ended.
 */
@Entity({ name: 'key_spend_totals' })
@Check(
  'ck_key_spend_totals_amounts',
  `total_usd >= 0 AND byok_total_usd >= 0 AND daily_usd >= 0 AND byok_daily_usd >= 0 AND weekly_usd >= 0
    AND byok_weekly_usd >= 0 AND monthly_usd >= 0 AND byok_monthly_usd >= 0`,
)
@ForeignKey('ApiKeyEntity', ['organizationId', 'keyId'], ['organizationId', 'id'], {
  name: 'fk_key_spend_totals_key',
  onDelete: 'CASCADE',
})
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

  /** Through the caller's own provider keys, as each column whose name begins so. */
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

import { firstDayOf, type SpendInterval, TODAY } from './spend-interval.js';

/** The prefix of the columns of `key_spend_totals` with the sums of an interval. */
const COLUMNS: Readonly<Record<SpendInterval, string>> = {
  lifetime: 'total',
  monthly: 'monthly',
  weekly: 'weekly',
  daily: 'daily',
};

/** The intervals after which a limit starts again. */
const RESETS = ['daily', 'weekly', 'monthly'] as const;

/**
 * An SQL expression for what a key has spent in the present window, from its row in `key_spend_totals` under the alias `totals`, which
 * may be missing (docs/adr/0013-running-totals.md). Totals whose latest day is after now() also count: the transaction began before
 * midnight and sees what was spent after it.
 *
 * @param kind `byok_` for what was spent through the organization's own provider keys
 */
export function keySpendIn(interval: SpendInterval, kind: '' | 'byok_' = ''): string {
  const column = `totals.${kind}${COLUMNS[interval]}_usd`;
  if (interval === 'lifetime') return `coalesce(${column}, 0)`;
  return `CASE WHEN totals.latest_day >= ${firstDayOf(interval, TODAY)} THEN ${column} ELSE 0 END`;
}

/**
 * An SQL expression for what of a key's spend counts toward a limit of it.
 *
 * @param interval an SQL expression for the interval of the limit; null is the lifetime
 * @param includesByok an SQL expression for whether spend through the organization's own provider keys counts
 * @param spendIn gives an SQL expression for the spend of an interval
 */
export function countedKeySpend(interval: string, includesByok: string, spendIn = keySpendIn): string {
  const counted = (name: SpendInterval): string =>
    `${spendIn(name)} + CASE WHEN ${includesByok} THEN ${spendIn(name, 'byok_')} ELSE 0 END`;
  const cases = RESETS.map((name) => `WHEN '${name}' THEN ${counted(name)}`);
  return `CASE ${interval} ${cases.join(' ')} ELSE ${counted('lifetime')} END`;
}

/**
 * What {@link keySpendIn} reads, for the window of a given day: the window of a request that came before midnight may have ended. What the
 * running totals do not have any more is summed up from the days of the key. The first parameter of the statement is the organization.
 *
 * @param day an SQL expression for the day, in UTC
 */
export function keySpendAt(day: string): (interval: SpendInterval, kind?: '' | 'byok_') => string {
  return (interval, kind = '') => {
    const column = `totals.${kind}${COLUMNS[interval]}_usd`;
    if (interval === 'lifetime') return `coalesce(${column}, 0)`;
    const [first, latest] = [firstDayOf(interval, day), firstDayOf(interval, 'totals.latest_day')];
    return `CASE WHEN ${latest} = ${first} THEN ${column} WHEN ${latest} > ${first} THEN (
        SELECT coalesce(sum(d.${kind}amount_usd), 0) FROM key_spend d
        WHERE d.organization_id = $1 AND d.key_id = totals.key_id
          AND d.day >= ${first} AND ${firstDayOf(interval, 'd.day')} = ${first}) ELSE 0 END`;
  };
}

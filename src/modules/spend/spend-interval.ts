/** The intervals of limits and budgets, widest first; `lifetime` never ends (docs/budgets.md#windows). */
export const SPEND_INTERVALS = ['lifetime', 'monthly', 'weekly', 'daily'] as const;

export type SpendInterval = (typeof SPEND_INTERVALS)[number];

/** An SQL expression for the present day in UTC. */
export const TODAY = `(now() AT TIME ZONE 'UTC')::date`;

const FIRST_DAYS: Readonly<Record<SpendInterval, (day: string) => string>> = {
  // One window for all days.
  lifetime: () => `date '1970-01-01'`,
  monthly: (day) => `date_trunc('month', ${day}::timestamp)::date`,
  // A week begins on Monday (ISO 8601).
  weekly: (day) => `date_trunc('week', ${day}::timestamp)::date`,
  daily: (day) => day,
};

/** An SQL expression for the first day of the window that a day is in. @param day an SQL expression for the day, in UTC */
export function firstDayOf(interval: SpendInterval, day: string): string {
  return FIRST_DAYS[interval](day);
}

/**
 * An SQL expression for the first day of the window that a day is in, for an interval that only the statement knows.
 *
 * @param interval an SQL expression for the interval
 * @param day an SQL expression for the day, in UTC
 */
export function firstDayOfWindow(interval: string, day: string): string {
  const cases = SPEND_INTERVALS.map((name) => `WHEN '${name}' THEN ${firstDayOf(name, day)}`);
  return `CASE ${interval} ${cases.join(' ')} END`;
}

/**
 * An SQL expression for the moment at which a window ends; null for that of the lifetime.
 *
 * @param interval an SQL expression for its interval
 * @param firstDay an SQL expression for its first day
 */
export function endOfWindow(interval: string, firstDay: string): string {
  return `(${firstDay}::timestamp + CASE ${interval} WHEN 'daily' THEN interval '1 day' WHEN 'weekly' THEN interval '7 days'
        WHEN 'monthly' THEN interval '1 month' END) AT TIME ZONE 'UTC'`;
}

/** An SQL expression that orders intervals from the widest to the narrowest. @param interval an SQL expression for one */
export function widthOrderOf(interval: string): string {
  return `array_position(ARRAY['${SPEND_INTERVALS.join("', '")}'], ${interval})`;
}

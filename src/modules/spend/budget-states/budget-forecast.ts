/** A window of a budget, and what was spent in it. */
export interface SpendSoFar {
  /** US dollars. */
  readonly spentUsd: number;
  readonly limitUsd: number;
  readonly start: Date;
  readonly end: Date;
  readonly now: Date;
}

/** What is to be expected of a window. */
export interface BudgetForecast {
  /** US dollars at the end of the window. */
  readonly forecastUsd: number;
  /** When the limit will be met; null if it will not be in this window. */
  readonly exhaustedAt: Date | null;
}

/** The share of a window that has to be over: what came in the first minutes of a month says nothing of the month. */
const LEAST_SHARE = 0.01;

/**
 * A straight line through the beginning of a window and what is spent now (docs/interface/workspaces-and-budgets.md#state).
 *
 * @returns null as long as too little of the window is over
 */
export function forecastOf({ spentUsd, limitUsd, start, end, now }: SpendSoFar): BudgetForecast | null {
  const elapsed = now.getTime() - start.getTime();
  const length = end.getTime() - start.getTime();
  if (elapsed < length * LEAST_SHARE) return null;
  const forecastUsd = spentUsd * (length / elapsed);
  if (spentUsd >= limitUsd) return { forecastUsd, exhaustedAt: now };
  const untilLimit = elapsed * (limitUsd / spentUsd);
  return { forecastUsd, exhaustedAt: untilLimit < length ? new Date(start.getTime() + Math.round(untilLimit)) : null };
}

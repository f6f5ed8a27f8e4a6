import type { ReasonedIssue } from '../../http/errors/issue.js';
import { BUDGET_INTERVALS, type BudgetInterval } from './budget-interval.js';

/** A limit, as far as it bounds others. */
export interface IntervalLimit {
  readonly interval: BudgetInterval;
  readonly limitUsd: number;
}

/**
 * What is wrong with a limit beside those of the other intervals: the narrower an interval, the less may be spent in it
 * (lifetime > monthly > weekly > daily), so that each of the limits can be the one that is reached.
 *
 * @param others the limits that there are; one of the same interval is the one that is replaced
 * @returns a fault for each limit that is not kept clear of
 */
export function budgetOrderFaults(
  { interval, limitUsd }: IntervalLimit,
  others: readonly IntervalLimit[],
): ReasonedIssue[] {
  return others.flatMap((other) => {
    const distance = BUDGET_INTERVALS.indexOf(other.interval) - BUDGET_INTERVALS.indexOf(interval);
    const isKept = distance === 0 || (distance > 0 ? limitUsd < other.limitUsd : limitUsd > other.limitUsd);
    if (isKept) return [];
    const message = `must be ${distance > 0 ? 'less' : 'more'} than the ${other.interval} limit of ${other.limitUsd}`;
    return [{ path: 'limit_usd', message, reason: 'budget_limits_not_decreasing' }];
  });
}

import { LIMITS_NOT_DECREASING } from '../workspaces.errors.js';
import type { IssueWithReason } from '../../../http/errors/issue.js';

/** The intervals of a workspace budget, narrowest first; `lifetime` never resets (docs/interface/workspaces-and-budgets.md). */
export const BUDGET_INTERVALS = ['daily', 'weekly', 'monthly', 'lifetime'] as const;

export type BudgetInterval = (typeof BUDGET_INTERVALS)[number];

/** How often a budget resets; null for never. */
export type BudgetReset = Exclude<BudgetInterval, 'lifetime'> | null;

export const BUDGET_RESETS = ['daily', 'weekly', 'monthly'] as const satisfies readonly BudgetReset[];

/** How often the budget of an interval resets. */
export function resetOf(interval: BudgetInterval): BudgetReset {
  return interval === 'lifetime' ? null : interval;
}

/** The limit of an interval. */
export interface IntervalLimit {
  readonly interval: BudgetInterval;
  readonly limitUsd: number;
}

/**
 * Compares a limit with those of the other intervals: limits strictly decrease as the interval narrows (lifetime >
 * monthly > weekly > daily), so that each of them can be reached.
 *
 * @param others the stored limits; that of the same interval is replaced
 * @returns an issue for each limit that is violated
 */
export function budgetOrderIssues(
  { interval, limitUsd }: IntervalLimit,
  others: readonly IntervalLimit[],
): IssueWithReason[] {
  return others.flatMap((other) => {
    const distance = BUDGET_INTERVALS.indexOf(other.interval) - BUDGET_INTERVALS.indexOf(interval);
    const isKept = distance === 0 || (distance > 0 ? limitUsd < other.limitUsd : limitUsd > other.limitUsd);
    if (isKept) return [];
    return [LIMITS_NOT_DECREASING.at('limit_usd', distance > 0 ? 'less' : 'more', other.interval, other.limitUsd)];
  });
}

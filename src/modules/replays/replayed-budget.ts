import type { Budget } from '../guardrails/effective-policy/effective-policy.js';
import { windowStartOf } from '../limits/limit-windows.js';
import { unitsOf } from '../spend/decimal-amount.js';
import { WindowAmounts } from './window-amounts.js';

/** The cost of a recorded request, in the smallest units of a US dollar. */
export interface RecordedCost {
  readonly total: bigint;
  /** The part that was used through own provider keys. */
  readonly byok: bigint;
}

/** The budget of a guardrail, as the spend of each key would have met it. */
export class ReplayedBudget {
  private readonly limit: bigint;
  private readonly spentByKey = new WindowAmounts(new Map());

  constructor(private readonly budget: Budget) {
    this.limit = unitsOf(String(budget.limitUsd));
  }

  /**
   * Counts a request, in the order of time.
   *
   * @param isRefused whether it would not have cost anything, because another rule refuses it
   * @returns whether the budget was met before it
   */
  isMet(keyId: string, at: Date, { total, byok }: RecordedCost, isRefused: boolean): boolean {
    const { resetInterval, includeByokInBudgets } = this.budget;
    const counted = includeByokInBudgets ? total : total - byok;
    return this.spentByKey.isMet(keyId, windowStartOf(resetInterval, at), this.limit, isRefused ? 0n : counted);
  }
}

import type { Budget } from '../guardrails/effective-policy/effective-policy.js';
import { windowStartOf } from '../limits/limit-windows.js';
import { unitsOf } from '../spend/decimal-amount.js';

/** The cost of a recorded request, in the smallest units of a US dollar. */
export interface RecordedCost {
  readonly total: bigint;
  /** The part that was used through own provider keys. */
  readonly byok: bigint;
}

/** The budget of a guardrail, as the spend of each key would have met it. */
export class ReplayedBudget {
  private readonly limit: bigint;
  /** By key: those of the latest window. */
  private readonly spent = new Map<string, { readonly window: number; amount: bigint }>();

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
    const window = windowStartOf(this.budget.resetInterval, at).getTime();
    const last = this.spent.get(keyId);
    const spent = last?.window === window ? last : { window, amount: 0n };
    this.spent.set(keyId, spent);
    const isMet = spent.amount >= this.limit;
    if (!isMet && !isRefused) spent.amount += this.budget.includeByokInBudgets ? total : total - byok;
    return isMet;
  }
}

/** The intervals of a workspace budget, the narrowest first; `lifetime` never resets (SERVICE.md, section 4.11). */
export const BUDGET_INTERVALS = ['daily', 'weekly', 'monthly', 'lifetime'] as const;

export type BudgetInterval = (typeof BUDGET_INTERVALS)[number];

/** How often a budget starts anew; null for one that never does. */
export type BudgetReset = Exclude<BudgetInterval, 'lifetime'> | null;

export const BUDGET_RESETS = ['daily', 'weekly', 'monthly'] as const satisfies readonly BudgetReset[];

/** How often the budget of an interval starts anew. */
export function resetOf(interval: BudgetInterval): BudgetReset {
  return interval === 'lifetime' ? null : interval;
}

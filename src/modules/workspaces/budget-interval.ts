/** The intervals of a workspace budget; `lifetime` never resets (SERVICE.md, section 4.11). */
export const BUDGET_INTERVALS = ['daily', 'weekly', 'monthly', 'lifetime'] as const;

export type BudgetInterval = (typeof BUDGET_INTERVALS)[number];

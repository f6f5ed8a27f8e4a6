/** How often the spending limit of a guardrail starts anew (SERVICE.md, section 2.1). */
export const RESET_INTERVALS = ['daily', 'weekly', 'monthly'] as const;

export type ResetInterval = (typeof RESET_INTERVALS)[number];

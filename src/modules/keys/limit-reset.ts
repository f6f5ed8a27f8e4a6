/** How often the spending limit of a key starts anew. */
export const LIMIT_RESETS = ['daily', 'weekly', 'monthly'] as const;

export type LimitReset = (typeof LIMIT_RESETS)[number];

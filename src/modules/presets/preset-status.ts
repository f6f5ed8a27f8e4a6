/** Whether a preset can be used (the contract's PresetStatus). */
export const PRESET_STATUSES = ['active', 'disabled', 'archived'] as const;

/** Whether a preset can be used. */
export type PresetStatus = (typeof PRESET_STATUSES)[number];

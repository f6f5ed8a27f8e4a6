/** What becomes of texts when an inspector fails (docs/interface/inspectors.md#failures). */
export const ON_FAILURE = ['block', 'pass'] as const;

export type OnFailure = (typeof ON_FAILURE)[number];

/** How long an inspector may take, in milliseconds. */
export const TIMEOUTS = { default: 3_000, minimum: 50, maximum: 30_000 } as const;

/** What of an answer an inspector sees at a time, in characters: a window, and how much of the one before it comes with it. */
export interface CharacterWindow {
  readonly characters: number;
  readonly overlap: number;
}

/** An answer in windows, or `whole`: then nothing of it leaves before all of it was judged. */
export type InspectionWindow = CharacterWindow | 'whole';

/** The bounds of a window, in characters. */
export const WINDOWS = {
  default: { characters: 1_024, overlap: 256 },
  minimum: 64,
  maximum: 65_536,
} as const;

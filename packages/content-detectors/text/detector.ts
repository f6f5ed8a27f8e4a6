import type { TextPart } from './text-part.js';

/** Part of a text: offsets in UTF-16 code units, the end excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Takes a match. @param pattern the name of the pattern, for detectors that have several */
export type MatchHandler = (start: number, end: number, pattern?: string) => void;

/** Finds the matches of one filter. Detectors keep no state between calls and take linear time. */
export interface Detector {
  /**
   * Finds the matches that a part of a text decides. A match may reach beyond the part on either side.
   *
   * @param from where the search begins: the start of the part, or the end of a match that reaches into it
   * @returns where the search goes on in the next part: its start, or the end of a match that reaches beyond it
   */
  detect(part: TextPart, from: number, found: MatchHandler): number;
}

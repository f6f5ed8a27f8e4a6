import type { Detector, MatchHandler } from '../engine/detector.js';
import { findEncodedPhrases } from './encoded-phrases.js';
import { findInjectionPhrases } from './injection-phrases.js';
import { findScrambledPhrases } from './scrambled-words.js';
import { findSpacedPhrases } from './spaced-letters.js';

/** Finds attempts to override the instructions of a model (docs/interface/content-filters.md#prompt-injection). */
export const PROMPT_INJECTION: Detector = {
  detect(text: string, from: number, to: number, found: MatchHandler): number {
    findInjectionPhrases(text, from, to, found);
    findScrambledPhrases(text, from, to, found);
    findSpacedPhrases(text, from, to, found);
    findEncodedPhrases(text, from, to, found);
    return to;
  },
};

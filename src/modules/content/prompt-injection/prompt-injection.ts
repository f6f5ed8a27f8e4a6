import type { Detector, MatchHandler } from '../engine/detector.js';
import type { TextPart } from '../engine/text-part.js';
import { findDisguisedPhrases } from './disguised-letters.js';
import { findEncodedPhrases } from './encoded-phrases.js';
import { findInjectionPhrases } from './injection-phrases.js';
import { findPhrasesInOtherScripts } from './other-scripts.js';
import { findScrambledPhrases } from './scrambled-words.js';
import { findSpacedPhrases } from './spaced-letters.js';

/** Finds attempts to override the instructions of a model (docs/interface/content-filters.md#prompt-injection). */
export const PROMPT_INJECTION: Detector = {
  detect(part: TextPart, from: number, found: MatchHandler): number {
    findInjectionPhrases(part, from, found);
    findPhrasesInOtherScripts(part, from, found);
    findDisguisedPhrases(part, from, found);
    findScrambledPhrases(part, from, found);
    findSpacedPhrases(part, from, found);
    findEncodedPhrases(part, from, found);
    return part.to;
  },
};

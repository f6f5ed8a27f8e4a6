import type { Detector, MatchHandler } from '../text/detector.js';
import type { TextPart } from '../text/text-part.js';
import { findDisguisedPhrases } from './disguised-letters.js';
import { findEncodedPhrases } from './encoded-phrases.js';
import { findPhrases } from './phrase-search.js';

/** Finds attempts to override the instructions of a model (docs/interface/content-filters.md#prompt-injection). */
export const PROMPT_INJECTION: Detector = {
  detect(part: TextPart, from: number, take: MatchHandler): number {
    const found = withoutRepetition(take);
    findPhrases(part, from, found);
    findDisguisedPhrases(part, from, found);
    findEncodedPhrases(part, from, found);
    return part.to;
  },
};

/** Hands on what is found, but not again what begins at the same place by the same name: several readings of a text may have it. */
function withoutRepetition(found: MatchHandler): MatchHandler {
  const known = new Set<string>();
  return (start, end, name) => {
    const key = `${start} ${name}`;
    if (known.has(key)) return;
    known.add(key);
    found(start, end, name);
  };
}

import type { Detector, MatchHandler } from '../text/detector.js';
import type { TextPart } from '../text/text-part.js';
import { findDisguisedPhrases } from './disguised-letters.js';
import { findEncodedPhrases } from './encoded-phrases.js';
import { findInjectionPhrases } from './injection-phrases.js';
import { findMisspelledPhrases } from './misspelled-words.js';
import { findPhrasesInOtherScripts } from './phrases-in-other-scripts.js';
import { findPhrasesWithSpacedWords, findSpacedPhrases } from './spaced-letters.js';
import { findStressedPhrases } from './stressed-words.js';
import { tellingWordsIn } from './telling-words.js';
import { findUnreadablePhrases } from './unreadable-words.js';

/** Finds attempts to override the instructions of a model (docs/interface/content-filters.md#prompt-injection). */
export const PROMPT_INJECTION: Detector = {
  detect(part: TextPart, from: number, take: MatchHandler): number {
    const found = withoutRepetition(take);
    const words = tellingWordsIn(part, from);
    findInjectionPhrases(part, from, words, found);
    findStressedPhrases(part.text, words.orders, found);
    findPhrasesInOtherScripts(part, from, found);
    findDisguisedPhrases(part, from, found);
    findMisspelledPhrases(part, from, words.misspelled, found);
    findUnreadablePhrases(part, words.unreadable, found);
    if (words.hasLettersInARow) {
      findSpacedPhrases(part, from, found);
      findPhrasesWithSpacedWords(part, from, found);
    }
    findEncodedPhrases(part, from, words, found);
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

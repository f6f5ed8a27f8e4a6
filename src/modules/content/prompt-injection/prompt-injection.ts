import type { Detector, MatchHandler } from '../engine/detector.js';
import type { TextPart } from '../engine/text-part.js';
import { asciiWordsIn } from './ascii-words.js';
import { candidatesAmong } from './candidate-words.js';
import { findDisguisedPhrases } from './disguised-letters.js';
import { findEncodedPhrases } from './encoded-phrases.js';
import { findInjectionPhrases } from './injection-phrases.js';
import { findLinkedPhrases } from './linked-words.js';
import { findMisspelledPhrases } from './misspelled-words.js';
import { ordersAmong } from './orders.js';
import { findPhrasesInOtherScripts } from './other-scripts.js';
import { withoutRepetition } from './repeated-finds.js';
import { findPhrasesWithSpacedWords, findSpacedPhrases } from './spaced-letters.js';
import { findStressedPhrases } from './stressed-words.js';
import { findUnreadablePhrases } from './unreadable-words.js';

/** Finds attempts to override the instructions of a model (docs/interface/content-filters.md#prompt-injection). */
export const PROMPT_INJECTION: Detector = {
  detect(part: TextPart, from: number, take: MatchHandler): number {
    const found = withoutRepetition(take);
    const words = asciiWordsIn(part);
    const candidates = candidatesAmong(words, from);
    findInjectionPhrases(part.text, words.marks, from, candidates, found);
    const orders = ordersAmong(part.text, candidates.orders);
    findStressedPhrases(part.text, orders, found);
    findLinkedPhrases(part.text, orders, found);
    findPhrasesInOtherScripts(part, from, found);
    findDisguisedPhrases(part, from, found);
    findMisspelledPhrases(part, from, candidates.misspelled, found);
    findUnreadablePhrases(part, candidates.unreadable, found);
    if (candidates.hasLettersInARow) {
      findSpacedPhrases(part, from, found);
      findPhrasesWithSpacedWords(part, from, found);
    }
    findEncodedPhrases(part, from, words, candidates.pairs, found);
    return part.to;
  },
};

import type { Detector, MatchHandler } from '../text/detector.js';
import type { TextPart } from '../text/text-part.js';
import { findKnownKeys } from './known-keys.js';
import { findPasswordsBehindColons } from './password-colons.js';
import { findPrivateKeys } from './private-keys.js';
import { findUrlPasswords } from './url-passwords.js';
import { findSecretsBehindWords } from './word-ends.js';

/** Finds keys, tokens and passwords that give access to something (docs/interface/content-filters.md#secrets). */
export const SECRETS: Detector = {
  detect(part: TextPart, from: number, found: MatchHandler): number {
    findUrlPasswords(part, from, found);
    findSecretsBehindWords(part, from, found);
    findPasswordsBehindColons(part, from, found);
    // Matches that reach beyond the part may be found again from there, which changes nothing but their number.
    return Math.max(findKnownKeys(part, from, found), findPrivateKeys(part, from, found));
  },
};

import type { Detector, MatchHandler } from '../text/detector.js';
import type { TextPart } from '../text/text-part.js';
import { findKnownKeys } from './known-keys.js';
import { findPrivateKeys } from './private-keys.js';
import { findSecretsBehindWords } from './word-ends.js';
import { LAST_EXTENDED_LETTER } from '../text/character-kinds.js';
import { findPasswordBehindColon } from './named-secrets.js';
import { isPlaceholder } from './secret-values.js';

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

const WIDE_COLON = '：';

/** Finds passwords behind words of alphabets whose letters are none of words here: from each colon on. */
function findPasswordsBehindColons(part: TextPart, from: number, found: MatchHandler): void {
  const { text, words } = part;
  if (words.isAsciiThroughout) return;
  for (const colon of words.colons) {
    // The last letter of the Vietnamese word is one of ASCII.
    if (colon >= from && (isOtherLetter(text, colon - 1) || isOtherLetter(text, colon - 2)))
      findPasswordBehindColon(text, colon, found);
  }
  for (let colon = part.indexOf(WIDE_COLON, from); colon !== -1; colon = part.indexOf(WIDE_COLON, colon + 1))
    findPasswordBehindColon(text, colon, found);
}

function isOtherLetter(text: string, position: number): boolean {
  return text.charCodeAt(position) > LAST_EXTENDED_LETTER;
}

/** The name and the password of a URL, which is the group: `postgres://user:password@host`. */
const USER_INFORMATION = /:\/\/[^\s:/?#@"'<>]{0,64}:([^\s:/?#@"'<>]{3,128})@[\w[]/y;

const SLASH = '/'.charCodeAt(0);

/** Finds the passwords of URLs whose scheme ends in a part of a text. */
function findUrlPasswords(part: TextPart, from: number, found: MatchHandler): void {
  const { text } = part;
  const { colons, codes } = part.words;
  for (const colon of colons) {
    if (codes[colon - part.from + 1] !== SLASH || colon < from) continue;
    USER_INFORMATION.lastIndex = colon;
    const [whole, password = ''] = USER_INFORMATION.exec(text) ?? [];
    if (whole === undefined || isPlaceholder(password)) continue;
    // Behind the password stand an at sign and the first character of the host.
    const end = colon + whole.length - 2;
    found(end - password.length, end);
  }
}

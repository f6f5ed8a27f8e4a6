import type { MatchHandler } from '../engine/detector.js';
import type { TextPart } from '../engine/text-part.js';
import { PHRASES_IN_OTHER_SCRIPTS } from './phrases-in-other-languages.js';

/** The longest phrase, in code units: one may end behind the part that it begins in. */
const MAXIMUM_PHRASE_LENGTH = 128;

/** A character of these scripts, without which nothing else is looked for: Cyrillic, kana, Chinese characters, Hangul. */
const IN_OTHER_SCRIPT = /[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/;

/** Finds phrases of prompt injections in scripts other than Latin that begin in a part of a text. */
export function findPhrasesInOtherScripts({ text, to, words }: TextPart, from: number, found: MatchHandler): void {
  if (words.isAsciiThroughout) return;
  const stretch = text.slice(from, to + MAXIMUM_PHRASE_LENGTH);
  if (!IN_OTHER_SCRIPT.test(stretch)) return;
  for (const [name, phrase] of PHRASES_IN_OTHER_SCRIPTS) {
    for (const { index, 0: match } of stretch.matchAll(phrase)) {
      if (from + index < to) found(from + index, from + index + match.length, name);
    }
  }
}

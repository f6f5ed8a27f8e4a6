import type { MatchHandler } from '../engine/detector.js';
import { matchesAt } from '../engine/sticky-match.js';
import type { TextPart } from '../engine/text-part.js';
import { Beginnings } from './beginnings.js';
import { PHRASES_IN_OTHER_SCRIPTS, type ScriptPhrase } from './phrases-in-other-scripts.js';

const BEGINNINGS = new Beginnings(PHRASES_IN_OTHER_SCRIPTS.flatMap(({ beginnings }) => beginnings));

/** The phrases by the character that they begin with, in lower case. */
const PHRASES_BY_CHARACTER: ReadonlyMap<string, readonly ScriptPhrase[]> = phrasesByCharacter();

/** Finds phrases of prompt injections in scripts other than Latin that begin in a part of a text. */
export function findPhrasesInOtherScripts(
  { text, from: start, to, words }: TextPart,
  from: number,
  found: MatchHandler,
): void {
  if (words.isAsciiThroughout) return;
  const { codes } = words;
  const end = to - start;
  let previousName = '';
  let previousEnd = from;
  for (
    let index = BEGINNINGS.next(codes, from - start, end);
    index < end;
    index = BEGINNINGS.next(codes, index + 1, end)
  ) {
    const position = start + index;
    const phrases = PHRASES_BY_CHARACTER.get(text.charAt(position).toLowerCase());
    if (phrases === undefined) continue;
    for (const { name, expression } of phrases) {
      // What begins within a phrase is a part of it.
      if (name === previousName && position < previousEnd) continue;
      if (!matchesAt(expression, text, position)) continue;
      previousName = name;
      previousEnd = expression.lastIndex;
      found(position, previousEnd, name);
    }
  }
}

function phrasesByCharacter(): Map<string, ScriptPhrase[]> {
  const phrases = new Map<string, ScriptPhrase[]>();
  for (const phrase of PHRASES_IN_OTHER_SCRIPTS) {
    for (const character of new Set(phrase.beginnings.map((beginning) => beginning.charAt(0).toLowerCase()))) {
      phrases.set(character, [...(phrases.get(character) ?? []), phrase]);
    }
  }
  return phrases;
}

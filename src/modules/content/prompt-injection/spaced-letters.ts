import type { MatchHandler } from '../engine/detector.js';
import type { TextPart } from '../engine/text-part.js';
import { injectionNamesIn } from './injection-phrases.js';

/** Single letters with something between them. Two words of six letters at least are a phrase. */
const SPACED = /(?<![A-Za-z0-9])(?:[A-Za-z][ \t._*|/\\-]{1,3}){9,400}[A-Za-z](?![A-Za-z0-9])/g;

/** The letters of the shortest run between the first and the last one. */
const LETTERS_BETWEEN = 8;

const LAST_ASCII = 0x7f;

/** The longest run of letters: a part may end in the middle of one. */
const MAXIMUM_RUN_LENGTH = 1_664;

/** Several separators are a space between words, where there is one between letters. */
const BETWEEN_WORDS = /([A-Za-z])[ \t._*|/\\-]{2,3}(?=[A-Za-z])/g;

/** Phrases whose words are no longer apart, with the names of their patterns. */
const RUN_TOGETHER: readonly (readonly [name: string, phrase: RegExp])[] = [
  [
    'ignore_previous_instructions',
    /ignore(?:all)?(?:of)?(?:the|your|my|any)?(?:previous|prior|above|earlier|system|your)?(?:instructions|rules|prompts?|directives|guidelines)/,
  ],
  [
    'disregard_instructions',
    /disregard(?:all)?(?:of)?(?:the|your|my|any)?(?:previous|prior|above|earlier|system|your)?(?:instructions|rules|prompts?|directives|guidelines)/,
  ],
  [
    'forget_instructions',
    /forget(?:all)?(?:of)?(?:the|your|my|any)?(?:previous|prior|above|earlier|system|your)?(?:instructions|rules|prompts?|directives|guidelines)/,
  ],
  [
    'override_instructions',
    /override(?:all)?(?:of)?(?:the|your|my|any)?(?:previous|prior|above|earlier|system|your)?(?:instructions|rules|prompts?|directives|guidelines)/,
  ],
  [
    'reveal_prompt',
    /(?:reveal|show|print|output|repeat|disclose|giveme|tellme|showme)(?:me)?(?:the|your)+(?:full|entire|exact)?(?:system|hidden|initial|secret)?(?:prompt|instructions)/,
  ],
  [
    'bypass_safety',
    /(?:bypass|disable|ignore|circumvent)(?:all)?(?:the|your)?(?:safety|content|ethical)(?:filters?|guidelines|restrictions|protocols?|measures)/,
  ],
  ['system_override', /systemoverride/],
  ['developer_mode', /youare(?:now)?in(?:developer|dev)mode/],
  ['jailbreak_mode', /(?:jailbreak|jailbroken)mode/],
];

/** Finds phrases of prompt injections written letter by letter, as in `i g n o r e`, that begin in a part of a text. */
export function findSpacedPhrases(part: TextPart, from: number, found: MatchHandler): void {
  if (!hasLettersInARow(part)) return;
  const { text, to } = part;
  const before = Math.min(from, 1);
  const offset = from - before;
  for (const { index, 0: run } of text.slice(offset, to + MAXIMUM_RUN_LENGTH).matchAll(SPACED)) {
    if (offset + index >= to) return;
    if (index < before) continue;
    const start = offset + index;
    for (const name of namesIn(run)) found(start, start + run.length, name);
  }
}

/**
 * Whether words of one letter follow each other, as in every run but for its first and last letter, which another alphabet may
 * adjoin. The run may also have more letters beyond the part.
 */
function hasLettersInARow({ text, words: { starts, ends } }: TextPart): boolean {
  let letters = 0;
  for (let index = 0; index < starts.length; index += 1) {
    const length = ends[index]! - starts[index]!;
    letters = length === 1 ? letters + 1 : 0;
    if (letters === LETTERS_BETWEEN) return true;
  }
  const last = ends.at(-1);
  return letters > 0 || last === undefined || text.charCodeAt(last - 2) > LAST_ASCII;
}

function namesIn(run: string): Set<string> {
  const words = run
    .replace(BETWEEN_WORDS, '$1\n')
    .replace(/[^A-Za-z\n]/g, '')
    .replaceAll('\n', ' ');
  const names = injectionNamesIn(words);
  const together = words.replaceAll(' ', '').toLowerCase();
  for (const [name, phrase] of RUN_TOGETHER) if (phrase.test(together)) names.add(name);
  return names;
}

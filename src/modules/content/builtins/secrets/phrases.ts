import type { MatchHandler } from '../../engine/detector.js';
import { matchAt } from '../../engine/sticky-match.js';
import { edgesOfWord, PAIRS, smallBeginningOf } from '../../engine/word-edges.js';
import { EDGE_BITS } from '../../engine/words.js';
import { findAuthorization, findValue, type Place } from './named-secrets.js';
import { kindNamed } from './secret-names.js';

/** A sentence that says what a password is, up to that. */
const PASSWORD_SENTENCE =
  /(?:password|passwort|passwd|pwd)[ \t]{1,3}(?:(?:for|of|on)[ \t](?:[\w.@-]{1,32}[ \t]){1,4}?)?(?:(?:(?:was |is |has been )?(?:set|changed|reset)|will be set) to|is|was|ist|war|lautet)(?:[ \t](?:now|still|currently))?[ \t]{0,2}:?[ \t]{1,3}["'`“„*]{0,2}/iy;

/**
 * What a sentence calls a key or token, and what leads to its value; tried at the start of its last word. The values of other keys and
 * tokens in sentences are fingerprints and identifiers.
 */
const KEY_SENTENCE =
  /(?<=(?<![A-Za-z])(?:api|access|auth|bearer|refresh|bot|deploy|secret)[ _-])(?:key|token)[ \t]{1,3}(?:(?:is|was|ist)(?:[ \t](?:now|still))?[ \t]{0,2}:?[ \t]{1,3})?["'`*]{0,2}/iy;

/** A command of curl up to the password of its login; a line end behind a backslash does not end it. */
const CURL_LOGIN =
  /curl(?:[^\n;|]|\\\n){0,400}?[ \t](?:-u[ \t]{0,2}|--user(?:=|[ \t]{1,2}))["']?[^\s:"'`$<>{}]{1,64}:/y;

const CURL = 'curl';

/** As far as the login is looked for, in code units. */
const MAXIMUM_COMMAND = 512;

/** A word that a phrase begins with, by its first two letters and its last one. */
interface FirstWord {
  readonly word: string;
  readonly find: (text: string, start: number, found: MatchHandler) => void;
}

const FIRST_WORDS: readonly FirstWord[] = [
  { word: 'bearer', find: findAuthorization },
  { word: 'basic', find: findAuthorization },
  { word: 'curl', find: findCurlLogin },
  ...['key', 'token'].map((word): FirstWord => ({ word, find: behind(KEY_SENTENCE, 'spoken key') })),
  ...['password', 'passwort', 'pwd'].map((word): FirstWord => ({
    word,
    find: behind(PASSWORD_SENTENCE, 'spoken password'),
  })),
];

/** By the first two letters of a word: a bit for each last letter, and the number of the first word in the list. */
const LAST_LETTERS = new Uint32Array(PAIRS);
for (const { word } of FIRST_WORDS)
  LAST_LETTERS[smallBeginningOf(edgesOfWord(word))]! |= letterBit(lastOf(edgesOfWord(word)));

/** Whether a phrase that says what a secret is can begin with a word, by its edges. */
export function mayBeginPhrase(edges: number): boolean {
  return (LAST_LETTERS[smallBeginningOf(edges)]! & letterBit(lastOf(edges))) !== 0;
}

/** Finds the secret behind a phrase that begins here. */
export function findSecretBehindPhrase(text: string, start: number, edges: number, found: MatchHandler): void {
  const first = FIRST_WORDS.find(({ word }) => isLike(edges, edgesOfWord(word)));
  first?.find(text, start, found);
}

function isLike(edges: number, others: number): boolean {
  return smallBeginningOf(edges) === smallBeginningOf(others) && letterBit(lastOf(edges)) === letterBit(lastOf(others));
}

function behind(phrase: RegExp, kind: Place['kind']): FirstWord['find'] {
  return (text, start, found) => {
    const said = matchAt(phrase, text, start);
    if (said !== undefined) findValue(text, { start: start + said.length, kind }, found);
  };
}

function findCurlLogin(text: string, start: number, found: MatchHandler): void {
  const rest = text.slice(start + CURL.length, start + MAXIMUM_COMMAND);
  const next = rest.indexOf(CURL);
  // The login of another command is found there.
  const command = matchAt(
    CURL_LOGIN,
    text.slice(start, next === -1 ? start + MAXIMUM_COMMAND : start + CURL.length + next),
    0,
  );
  // Where the name in front of the colon is that of a secret, as in `api_key:`, that has found the value already.
  if (command === undefined || kindNamed(text, start + command.length - 1) !== undefined) return;
  findValue(text, { start: start + command.length, kind: 'login password' }, found);
}

function lastOf(edges: number): number {
  return edges >> (2 * EDGE_BITS);
}

/** The same for small and capital letters. */
function letterBit(code: number): number {
  return 1 << (code & 31);
}

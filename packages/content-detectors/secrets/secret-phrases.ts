import type { MatchHandler } from '../text/detector.js';
import { matchAt } from '../text/sticky-match.js';
import { edgesOfWord, PAIRS, smallBeginningOf } from '../text/word-edges.js';
import { EDGE_BITS } from '../text/words.js';
import { findAuthorization, findValue, type Place } from './named-secrets.js';
import { PASSWORD_WORDS, type PasswordWordKind, passwordWordKind } from './password-words.js';
import { kindNamed } from './secret-names.js';

/** What passwords are for, in front of that. */
const PURPOSE =
  '[ \\t](?:for|of|on|to|für|vom|zum|zur|des|der|von|im|de|del|della|do|da|dos|du|pour|para|per|voor|van|til|för|från|для|от|к|на|na|dla|ke|pro|za|için)(?:[ \\t][^\\s:=]{1,32}){1,4}?';

/** What leads from that to its value. */
const LEADING =
  '(?:(?:was |is |has been )?(?:set|changed|reset)|will be set) to|is|was|ist|war|lautet|wäre|est|était|sera|es|era|será|é|foi|è|luidt|wordt|to|brzmi|är|er|on|je|bude';

/** A sentence that says what a password is, up to that. */
const PASSWORD_SENTENCE = sentence('password|passwort|passwd|passord(?:et)?|pwd');
const OTHER_PASSWORD_SENTENCE = sentence('\\p{L}{2,13}');

function sentence(words: string): RegExp {
  return new RegExp(
    `(?:${words})(?:${PURPOSE})?(?:[ \\t]?:|[ \\t][—–-]|[ \\t](?:${LEADING})(?:[ \\t](?:now|still|currently|jetzt|nun|ahora|agora|maintenant|ora|nu|teraz|теперь))?[ \\t]{0,2}:?)[ \\t]{1,3}["'\`“„«*]{0,2}`,
    'iuy',
  );
}

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
  readonly edges: number;
  readonly find: (text: string, start: number, found: MatchHandler) => void;
}

const FIRST_WORDS: readonly FirstWord[] = [
  firstWord('bearer', findAuthorization),
  firstWord('basic', findAuthorization),
  firstWord('curl', findCurlLogin),
  ...['key', 'token'].map((word) => firstWord(word, behind(KEY_SENTENCE, 'spoken key'))),
  ...['password', 'passwort', 'pwd'].map((word) => firstWord(word, behind(PASSWORD_SENTENCE, 'spoken password'))),
];

/** By the first two letters of a word: a bit for each last letter, and one for each length. */
const LAST_LETTERS = new Uint32Array(PAIRS);
const LENGTHS = new Uint32Array(PAIRS);
for (const word of [...FIRST_WORDS.map((first) => first.word), 'passwd', ...PASSWORD_WORDS]) {
  const edges = edgesOfWord(word);
  LAST_LETTERS[smallBeginningOf(edges)]! |= letterBit(lastOf(edges));
  LENGTHS[smallBeginningOf(edges)]! |= 1 << word.length;
}
const MAXIMUM_LENGTH = 31;

/** Whether a phrase that says what a secret is can begin with a word, or a word is one for a password, by its edges. */
export function mayBeginPhrase(edges: number): boolean {
  return (LAST_LETTERS[smallBeginningOf(edges)]! & letterBit(lastOf(edges))) !== 0;
}

/** Finds the secret behind a phrase that begins with a word. */
export function findSecretBehindPhrase(
  text: string,
  start: number,
  end: number,
  edges: number,
  found: MatchHandler,
): void {
  const length = end - start;
  if (length > MAXIMUM_LENGTH || (LENGTHS[smallBeginningOf(edges)]! & (1 << length)) === 0) return;
  const first = FIRST_WORDS.find((word) => isLike(edges, word.edges));
  if (first !== undefined) {
    first.find(text, start, found);
    return;
  }
  const kind = passwordWordKind(text, start, end);
  if (kind !== undefined) findOtherPassword(text, start, kind, found);
}

function firstWord(word: string, find: FirstWord['find']): FirstWord {
  return { word, edges: edgesOfWord(word), find };
}

function isLike(edges: number, others: number): boolean {
  return smallBeginningOf(edges) === smallBeginningOf(others) && letterBit(lastOf(edges)) === letterBit(lastOf(others));
}

/** Finds the password behind a word for one in another language. */
function findOtherPassword(text: string, start: number, kind: PasswordWordKind, found: MatchHandler): void {
  const said = matchAt(OTHER_PASSWORD_SENTENCE, text, start);
  if (said === undefined) return;
  // Less may stand behind such a sentence than behind a name and a colon.
  findValue(text, { start: start + said.length, kind: kind === 'said password' ? 'spoken password' : kind }, found);
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

/** The bit of a letter, which is equal for the small and the capital one. */
function letterBit(code: number): number {
  return 1 << (code & 31);
}

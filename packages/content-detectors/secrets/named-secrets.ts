import type { MatchHandler } from '../text/detector.js';
import { matchAt } from '../text/sticky-match.js';
import { WEB_TOKEN_PREFIX } from './key-forms.js';
import { knownKeyEnd } from './known-keys.js';
import { PASSWORD_WORD_ELSEWHERE, type PasswordWordKind, passwordWordKind } from './password-words.js';
import { kindNamed, type NamedKind } from './secret-names.js';
import {
  isCredentials,
  isDrawnKey,
  isKeyLike,
  isLoginPassword,
  isPasswordLike,
  isSpokenPassword,
  isPassphrase,
  isSaidPassword,
  isSurePassword,
} from './secret-values.js';

/** What stands between a name and its value, with the quotation marks of both; those of JSON in a string have backslashes. */
const ASSIGNMENT = /\\?["'`]?\]?[ \t\u00a0\u202f]{0,3}(?::=|=>|=|:)[ \t]{0,3}\\?["'`]?/y;

/**
 * What stands between a name and its value where both are values themselves: attributes of an element of XML, fields of an object in JSON or YAML, or
 * elements of a property list.
 */
const PAIRED = new RegExp(
  [
    '["\'](?:\\s{1,20}[\\w:.-]{1,32}=["\'][^"\'<>]{0,64}["\']){0,3}\\s{1,20}value\\s?=\\s?["\']',
    '\\\\?["\']\\s{0,4},\\s{0,40}\\\\?["\']?value\\\\?["\']?\\s{0,4}:\\s{0,4}\\\\?["\']',
    '["\']?\\r?\\n[ \\t]{0,40}value:[ \\t]{1,4}["\']?',
    '["\'](?:\\s{1,20}[\\w:.-]{1,32}=["\'][^"\'<>]{0,64}["\']){0,3}\\s{0,20}>\\s{0,40}(?:<value>\\s{0,40})?',
    '</key>\\s{0,40}<string>',
  ].join('|'),
  'iy',
);

/** What stands between the name of an element of XML and its value. */
const ELEMENT = /(?:\s{1,20}[\w:.-]{1,32}=["'][^"'<>]{0,64}["']){0,3}\s{0,4}>\s{0,40}(?:<!\[CDATA\[)?/y;
/** The beginning of a tag up to the end of its name, and how long it is at most. */
export const TAG_BEGINNING = /<(?:[\w.-]{1,32}:)?[\w.-]{1,64}$/;
export const MAXIMUM_TAG = 98;

/** A scheme of Authorization headers (RFC 7617, RFC 6750). */
const SCHEME = /(?:[Bb]earer|[Bb]asic)[ \t]{1,3}/y;

/** The characters of keys, of tokens and of base64. */
const KEY = /[A-Za-z0-9_+/.=~-]{16,512}/y;

/** A password without what ends it in the notations of programs, settings and queries. */
const PASSWORD = /(?:[^\s"'`,;<>(){}[\]\\|&\u3000-\u9fff\uac00-\ud7a3！，：；？）]|&(?![\w.-]{1,32}=)){8,128}/y;

/** A password in a command, which ends where the argument does. */
const LOGIN_PASSWORD = /[^\s"'`\\|<>;]{6,128}/y;

/** Whether a value goes on as an expression of a program, or was cut off. */
const GOES_ON = /^[([{…]/;

const MINIMUM_BEARER_LENGTH = 20;

/** What ends the sentence that a password stands in, or what sets it in bold type. */
const SENTENCE_END = /(?:\*\*)?[.?:]*$/;

/** What a name of a password is in a sentence: behind another word, and before a colon and a space. */
const SENTENCE_BEFORE = /\p{L}[ -](?:password|passwort|passwd|pwd)$/iu;
const SENTENCE_COLON = /^: ["'`]?$/;
const MAXIMUM_SENTENCE = 24;

const COLON = /[:：][ \t]{0,3}["'`“「]?/y;

/** The kinds of values that the marks of a sentence may follow. */
const IN_SENTENCES: ReadonlySet<string> = new Set([
  'said password',
  'spoken password',
  'doubtful password',
  'spoken key',
]);

/** Where the value of a name stands, and what it may be. */
export interface Place {
  readonly start: number;
  readonly kind: NamedKind | PasswordWordKind | 'bearer' | 'basic' | 'spoken key' | 'login password';
}

/** Finds the key, token or password that is the value of a name which says so and ends here. */
export function findNamedSecret(text: string, nameEnd: number, found: MatchHandler): void {
  const place = namedPlace(text, nameEnd);
  if (place !== undefined) findValue(text, place, found);
}

/** Finds the token or the credentials behind the scheme of an Authorization header, which begins here. */
export function findAuthorization(text: string, start: number, found: MatchHandler): void {
  const scheme = matchAt(SCHEME, text, start);
  if (scheme === undefined) return;
  findValue(text, { start: start + scheme.length, kind: scheme.startsWith('as', 1) ? 'basic' : 'bearer' }, found);
}

/** Finds the secret that stands at a place. */
export function findValue(text: string, place: Place, found: MatchHandler): void {
  const end = secretEnd(text, place);
  if (end !== -1) found(place.start, end);
}

/** Where the value of the name stands that ends here. @returns undefined if no name of a secret does */
function namedPlace(text: string, end: number): Place | undefined {
  const kind = kindNamed(text, end);
  if (kind === undefined) return undefined;
  const assignment = matchAt(PAIRED, text, end) ?? matchAt(ASSIGNMENT, text, end) ?? elementBeginning(text, end);
  if (assignment === undefined) return undefined;
  const isSaid = kind === 'password' && isInSentence(text, end, assignment);
  return { start: end + assignment.length, kind: isSaid ? 'said password' : kind };
}

/** What stands between a name and its value if it is that of an element of XML. */
function elementBeginning(text: string, end: number): string | undefined {
  const beginning = matchAt(ELEMENT, text, end);
  if (beginning === undefined || !TAG_BEGINNING.test(text.slice(Math.max(0, end - MAXIMUM_TAG), end))) return undefined;
  return beginning;
}

/** Whether a colon behind a name is that of a sentence, as in `the new password: `. */
function isInSentence(text: string, end: number, assignment: string): boolean {
  return SENTENCE_COLON.test(assignment) && SENTENCE_BEFORE.test(text.slice(Math.max(0, end - MAXIMUM_SENTENCE), end));
}

/** Finds the password behind a word for one in another language, and what is assigned to it. */
export function findPasswordBehindWord(text: string, start: number, end: number, found: MatchHandler): void {
  const kind = passwordWordKind(text, start, end);
  if (kind === undefined) return;
  const assignment = matchAt(ASSIGNMENT, text, end);
  if (assignment !== undefined) findValue(text, { start: end + assignment.length, kind }, found);
}

/** Finds the password behind a colon that follows a word for one of an alphabet whose letters are none of words here. */
export function findPasswordBehindColon(text: string, colon: number, found: MatchHandler): void {
  if (!PASSWORD_WORD_ELSEWHERE.test(text.slice(Math.max(0, colon - MAXIMUM_SENTENCE), colon))) return;
  const mark = matchAt(COLON, text, colon) ?? '';
  findValue(text, { start: colon + mark.length, kind: 'said password' }, found);
}

/** @returns the end of the secret that stands at a place; -1 if none does */
function secretEnd(text: string, { start, kind }: Place): number {
  const read = matchAt(formOf(kind), text, start);
  if (read === undefined || GOES_ON.test(text.charAt(start + read.length))) return -1;
  const value = IN_SENTENCES.has(kind) ? read.replace(SENTENCE_END, '') : read;
  // Keys of well-known forms are found by these. JSON web tokens are nothing but that: examples of them are cut off behind the header.
  if (value.startsWith(WEB_TOKEN_PREFIX) || knownKeyEnd(text, start) !== -1) return -1;
  return isSecret(value, kind) ? start + value.length : -1;
}

function formOf(kind: Place['kind']): RegExp {
  if (kind === 'login password') return LOGIN_PASSWORD;
  return kind.endsWith('password') ? PASSWORD : KEY;
}

function isSecret(value: string, kind: Place['kind']): boolean {
  if (kind === 'password') return isPasswordLike(value);
  if (kind === 'said password') return isSaidPassword(value) || isPassphrase(value);
  if (kind === 'spoken password') return isSpokenPassword(value) || isPassphrase(value);
  if (kind === 'doubtful password') return isSurePassword(value);
  if (kind === 'login password') return isLoginPassword(value);
  if (kind === 'basic') return isCredentials(value);
  if (kind === 'drawn key' || kind === 'spoken key') return isDrawnKey(value);
  if (kind === 'bearer' && value.length < MINIMUM_BEARER_LENGTH) return false;
  return isKeyLike(value);
}

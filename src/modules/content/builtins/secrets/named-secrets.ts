import type { MatchHandler } from '../../engine/detector.js';
import { matchAt } from '../../engine/sticky-match.js';
import { KEY_FORMS } from './key-forms.js';
import { isPlaceholder } from './placeholders.js';
import { bitsPerCharacter, looksRandom } from './randomness.js';
import { kindNamed } from './secret-names.js';

/** What stands between a name and its value, with the quotation marks of both; those of JSON in a string have backslashes. */
const ASSIGNMENT = /\\?["'`]?\]?[ \t]{0,3}(?::=|=>|=|:)[ \t]{0,3}\\?["'`]?/y;

/** A scheme of Authorization headers (RFC 7617, RFC 6750). */
const SCHEME = /(?:[Bb]earer|[Bb]asic)[ \t]{1,3}/y;

/** The characters of keys, of tokens and of base64. */
const KEY = /[A-Za-z0-9_+/.=~-]{16,512}/y;

/** A password without what ends it in the notations of programs, settings and queries. */
const PASSWORD = /(?:[^\s"'`,;<>(){}[\]\\|&]|&(?![\w.-]{1,32}=)){8,128}/y;

/** Whether a value goes on as an expression of a program. */
const IS_CALL = /^[([{]/;

/** Names, paths and numbers with dots: words of letters or of digits that marks join. */
const JOINED_WORDS = /^[A-Za-z]*(?:[_.~+/=-]+(?:[A-Za-z]+\d?|\d+))*$/;
const PATH = /^(?:[.~]{0,2}\/|https?:)|\.(?:pem|key|crt|json|txt|ya?ml|env|ts|js|py)$/;

/** A name in a program, a word with a number behind it, or the description of a field. */
const PLAIN_WORD = /^[A-Za-z_$]+[.:]?\d{0,3}$/;
const NAME_OF_SECRET = /pass|secret|token|config|env|string|input|hash|crypt/i;

const MINIMUM_KEY_BITS = 3;
const MINIMUM_BEARER_LENGTH = 20;

/** Where the value of a name stands, and what it may be. */
interface Place {
  readonly start: number;
  readonly kind: 'key' | 'password' | 'bearer' | 'basic';
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

function findValue(text: string, place: Place, found: MatchHandler): void {
  const end = secretEnd(text, place);
  if (end !== -1) found(place.start, end);
}

/** Where the value of the name stands that ends here. @returns undefined if no name of a secret does */
function namedPlace(text: string, end: number): Place | undefined {
  const kind = kindNamed(text, end);
  if (kind === undefined) return undefined;
  const assignment = matchAt(ASSIGNMENT, text, end);
  if (assignment === undefined) return undefined;
  return { start: end + assignment.length, kind };
}

/** @returns the end of the secret that stands at a place; -1 if none does */
function secretEnd(text: string, { start, kind }: Place): number {
  const value = matchAt(kind === 'password' ? PASSWORD : KEY, text, start);
  if (value === undefined || IS_CALL.test(text.charAt(start + value.length))) return -1;
  // What has the prefix of a well-known key is told by the form of that.
  if (KEY_FORMS.some(({ prefix }) => value.startsWith(prefix))) return -1;
  return isSecret(value, kind) ? start + value.length : -1;
}

function isSecret(value: string, kind: Place['kind']): boolean {
  if (kind === 'password') return isPasswordLike(value);
  if (kind === 'basic') return isCredentials(value);
  if (kind === 'bearer' && value.length < MINIMUM_BEARER_LENGTH) return false;
  return isKeyLike(value);
}

/** Whether a value has letters and digits without an order, as those do that a program has drawn. */
function isKeyLike(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || JOINED_WORDS.test(value) || PATH.test(value)) return false;
  return bitsPerCharacter(value) >= MINIMUM_KEY_BITS && looksRandom(value);
}

/** Whether a value is what people choose as passwords: letters and digits, capital and small ones or with other characters. */
function isPasswordLike(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (!(/[A-Z]/.test(value) && /[a-z]/.test(value)) && !/[!@#%^*?+]/.test(value)) return false;
  if (/^[$%{<]/.test(value) || PLAIN_WORD.test(value) || NAME_OF_SECRET.test(value)) return false;
  return !JOINED_WORDS.test(value) && !PATH.test(value) && !isPlaceholder(value) && looksRandom(value);
}

/** Whether a value is a name and a password in base64 (RFC 7617, section 2). */
function isCredentials(value: string): boolean {
  const [name = '', password = ''] = Buffer.from(value, 'base64').toString('utf8').split(/:(.*)/s, 2);
  return /^[\x20-\x7e]{1,128}$/.test(name) && /^[\x20-\x7e]{3,128}$/.test(password) && !isPlaceholder(password);
}

import { bitsPerCharacter, looksDrawn, looksRandom } from './randomness.js';

/** What stands for a password in examples: words, and variables of all kinds of templates. */
const NO_PASSWORD =
  /^(?:pass|password|passwd|pwd|secret|user|username|token|changeme|example|your.*|x+|\*+|\.+|[$%{[(].*)$/i;

/** Whether a text is what people write where a password would stand. */
export function isPlaceholder(password: string): boolean {
  return NO_PASSWORD.test(password);
}

/** Keys that were cut off are none, such as the beginning of one in a manual. */
const CUT_OFF = '..';

/** Names, paths and numbers with dots: words of letters or of digits that marks join. */
const JOINED_WORDS = /^[A-Za-z]*(?:[_.~+/=-]+(?:[A-Za-z]+\d?|\d+))*$/;
const PATH = /^(?:[.~]{0,2}\/|https?:)|\.(?:pem|key|crt|json|txt|ya?ml|env|ts|js|py)$/;

/** A word, with a number behind it or not. */
const PLAIN_WORD = /^[A-Za-z_$]+[.:]?\d{0,3}$/;

/** A name in a program of where a password comes from, such as `env.DB_PASSWORD1`, or one of those in manuals, such as `MyPassword1!`. */
const NAME_OF_SECRET =
  /^(?=.{0,64}(?:pass|secret|token|config|env|string|input|hash|crypt|kennwort|contrase|senha|clave|wachtwoord|has[łl]o|пароль|l[öo]senord|[şs]ifre|parola|heslo|jelsz|salasana|geheim))(?:[\w.$:\u00c0-\u052f-]+|[A-Za-z\u00c0-\u052f]+\d{0,4}!{0,3})$/i;

const MINIMUM_KEY_BITS = 3;
const MINIMUM_DRAWN_LENGTH = 20;
const MINIMUM_PASSWORD_LENGTH = 8;

/**
 * What is drawn too, but gives access to nothing: identifiers, keys of providers that are meant for browsers, and addresses of block
 * chains.
 */
const PUBLIC_VALUE = /^(?:pk[_-]|0x|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$)/i;
const CHAIN_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{43,44}$/;

/** Words with numbers that marks join, such as `Base64-encoded` and `AES-256`, which sentences about passwords have. */
const JOINED_TERMS = /^(?:[A-Za-z]+\d{0,4}|\d+[A-Za-z]?)(?:[-_./:]+(?:[A-Za-z]+\d{0,4}|\d+[A-Za-z]?))+$/;

/** What passwords are kept in, and what a sentence about them may lead to. */
const OTHER_TERM = /sha-?\d|md5|hmac|pbkdf|argon|base ?64|rot13|characters|@[\w-]+\.\w/i;

/** Of which passwords in a sentence have three kinds at least. */
const KINDS: readonly RegExp[] = [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z\d]/];
const FEWEST_KINDS = 3;

/** Words that marks join, with a number behind the last one or in a place of its own. */
const PASSPHRASE = /^(?=.{10,64}$)(?:\d{2,4}([-_.+]))?\p{L}{3,}(?:[-_.+](?:\p{L}{3,}|\d{2,4}))+\d{0,4}$/u;
const LONG_WORDS = /\p{L}{4,}[^\p{L}]+(?:\d+[^\p{L}]+|\p{L}{3}[^\p{L}]+)?\p{L}{4,}/u;

/** Years and words of which names and versions have one. */
const WORD_OF_NAMES =
  /(?<!\d)(?:19|20)\d\d(?!\d)|encod|encrypt|character|bit|stor|server|service|version|prod|stag|test|dev|database|vault|admin|user|change|case|long|digit|letter|policy|reset|manager|expire|name|file|vergessen/i;

/** Whether a value has letters and digits without an order, as those do that a program has drawn. */
export function isKeyLike(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || JOINED_WORDS.test(value) || PATH.test(value)) return false;
  if (value.includes(CUT_OFF)) return false;
  return bitsPerCharacter(value) >= MINIMUM_KEY_BITS && looksRandom(value);
}

/** Whether a value is a key even if its name alone does not say so. */
export function isDrawnKey(value: string): boolean {
  if (value.length < MINIMUM_DRAWN_LENGTH || PUBLIC_VALUE.test(value) || CHAIN_ADDRESS.test(value)) return false;
  return isKeyLike(value) && looksDrawn(value);
}

/** Whether a value is what people choose as passwords: letters and digits, capital and small ones or with other characters. */
export function isPasswordLike(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (!(/[A-Z]/.test(value) && /[a-z]/.test(value)) && !/[!@#%^*?+]/.test(value)) return false;
  if (/^[$%{<]/.test(value) || PLAIN_WORD.test(value) || NAME_OF_SECRET.test(value)) return false;
  return !JOINED_WORDS.test(value) && !PATH.test(value) && !isPlaceholder(value) && looksRandom(value);
}

/** Whether the value of a login in a command is a password rather than what a manual writes there. */
export function isLoginPassword(value: string): boolean {
  if (!/[A-Za-z]/.test(value) || !/[^A-Za-z]/.test(value) || /^[$%{<[(]/.test(value)) return false;
  if (PLAIN_WORD.test(value) || JOINED_WORDS.test(value) || NAME_OF_SECRET.test(value)) return false;
  return !isPlaceholder(value) && !value.includes(CUT_OFF) && looksRandom(value);
}

/** Whether what a sentence says to be a password can be one, and nothing else that is said about passwords. */
export function isSpokenPassword(value: string): boolean {
  // An exclamation mark may be that of the sentence.
  const sure = value.replace(/!+$/, '');
  if (sure.length < MINIMUM_PASSWORD_LENGTH || KINDS.filter((kind) => kind.test(sure)).length < FEWEST_KINDS)
    return false;
  return isPasswordLike(sure) && !JOINED_TERMS.test(sure) && !OTHER_TERM.test(sure);
}

/** Whether a value is a password behind a word in a sentence, and no encoding or the like. */
export function isSaidPassword(value: string): boolean {
  return isPasswordLike(value) && !OTHER_TERM.test(value);
}

/** Whether a value is a password though its name may be that of other things. */
export function isSurePassword(value: string): boolean {
  return isSpokenPassword(value) && KINDS.every((kind) => kind.test(value));
}

/** Whether a value is what people choose for others to remember: words, capital and small letters, and a number, as in `mango-Tulip-7731`. */
export function isPassphrase(value: string): boolean {
  if (!PASSPHRASE.test(value) || !LONG_WORDS.test(value)) return false;
  if (!/\p{Lu}/u.test(value) || !/\p{Ll}/u.test(value) || !/\d{2}/.test(value)) return false;
  if (WORD_OF_NAMES.test(value) || OTHER_TERM.test(value)) return false;
  return !NAME_OF_SECRET.test(value) && !isPlaceholder(value) && looksRandom(value);
}

/** Whether a value is a name and a password in base64 (RFC 7617, section 2). */
export function isCredentials(value: string): boolean {
  const [name = '', password = ''] = Buffer.from(value, 'base64').toString('utf8').split(/:(.*)/s, 2);
  return /^[\x20-\x7e]{1,128}$/.test(name) && /^[\x20-\x7e]{3,128}$/.test(password) && !isPlaceholder(password);
}

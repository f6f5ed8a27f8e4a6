import { matchesAt } from '../text/sticky-match.js';
import { edgesOfWord, PAIRS, smallBeginningOf } from '../text/word-edges.js';
import { edgesOf } from '../text/words.js';
import { PASSWORD_WORDS } from './password-words.js';

/** What has keys, tokens and secrets. Tokens of pages, lists and forms are none. */
const OWNERS_OF_KEYS = 'api|secret|(?<!shared)access|private|encryption|signing|master|auth|license|webhook';
const OWNERS_OF_TOKENS = 'access|auth|api|bearer|refresh|bot|security|session|deploy';
const OWNERS_OF_SECRETS =
  'client|app|application|consumer|api|jwt|session|webhook|signing|shared|cookie|auth|oauth|token';

/**
 * Names of fields that hold a key or token and end here. Each of these expressions is tried at one position only, from where it
 * reads backwards.
 */
const KEY_NAME = new RegExp(`(?<=(?:${OWNERS_OF_KEYS})[_ -]?key)`, 'iy');
const TOKEN_NAME = new RegExp(`(?<=(?:${OWNERS_OF_TOKENS})[_ -]?token)`, 'iy');
const SECRET_NAME = new RegExp(`(?<=(?:${OWNERS_OF_SECRETS})[_ -]?secret|(?<![a-z])secret)`, 'iy');

/**
 * A token without a word in front of it that says of what, in the spelling of a heading. In small letters it is one of the many fields that
 * mark pages, lists and forms.
 */
const HEADING_NAME = /(?<=(?:^|[\n.,;!?(>*"'])[ \t]{0,4}["'*]{0,2}(?:Token|TOKEN))/y;

/** A token that an element of XML holds, whose name says no more. */
const ELEMENT_NAME = /(?<=<[Tt]oken)/y;

/** Words before `token` that make it no secret: cursors of lists, tokens of forms and ids of devices. */
const OTHER_TOKENS =
  'page|next|prev|previous|continuation|continue|sync|cursor|csrf|xsrf|device|push|fcm|apns|registration|pagination|paging|request|form|' +
  'verification|antiforgery|forgery|resume|resumption|snapshot|change|delta|client|idempotency|design|template|syntax|lock|etag|version';

/** Names in small letters, or with a capital one inside, that say whose token or secret it is. */
const SMALL_TOKEN_NAME = joinedName('token', OTHER_TOKENS);
const SMALL_SECRET_NAME = joinedName('secret');

/** Names of variables of environments that hold a token and end here. */
const VARIABLE_NAME = /(?<=[A-Z0-9]_(?:TOKEN|SECRET))/y;

/** What has keys that are public, or that find something instead of opening it. */
const OTHER_KEYS =
  'PRIMARY|FOREIGN|UNIQUE|CACHE|RESTORE|SORT|PARTITION|SHARD|ROUTING|RANGE|ROW|INDEX|LOOKUP|LOCK|IDEMPOTENCY|DEDUP|DEDUPLICATION|' +
  'PUBLIC|PUBLISHABLE|PUB|SITE|HOST|GPG|PGP|APT|RPM|HASH|CHECKSUM|DIGEST|COMMIT|CONTENT|ARTIFACT|BUILD|VERSION|TAG|' +
  'OBJECT|FILE|BLOB|BUCKET|UPLOAD|IMAGE|DOCUMENT|ATTACHMENT|ASSET|S3|MESSAGE|EVENT|REQUEST|TRACE|CORRELATION|ISSUE|PROJECT|QUERY';

const OTHER_SMALL_KEYS =
  'maps?|account|access|dict|data|record|item|node|parent|child|group|entity|storage|local|translation|i18n|locale|composite|natural|business|join|agg|aggregation|' +
  'react|component|list|menu|tab|cell|column|field|order|user|product|search|meta|label|state|feature|flag|config|metric|series|log|topic';

/** Names of keys in small letters, as `openai_key` and `openaiKey`. */
const SMALL_KEY_NAME = joinedName('key', `${OTHER_KEYS}|${OTHER_SMALL_KEYS}`);

/** Names of variables of environments that hold a key and end here, as `OPENAI_KEY`. */
const VARIABLE_KEY_NAME = new RegExp(`(?<=[A-Z0-9]_KEY)(?<!(?<![A-Z0-9])(?:${OTHER_KEYS})_KEY)`, 'y');

/** Names of which only a value that looks drawn is a token. */
const DRAWN_TOKEN_NAMES = [HEADING_NAME, ELEMENT_NAME, SMALL_TOKEN_NAME];

/** Names of fields that hold a password and end here. */
const PASSWORD_NAME = /(?<=password|passwd|pwd|passwort)/iy;

/** The short name of passwords, which also is a word: any of a variable of environments, or what has a password. */
const PASS_NAME = /(?<=[A-Z\d]_PASS|(?:db|user|smtp|mail|admin|ftp|redis|mysql|postgres|auth|proxy|ssh)_pass)/y;

/** The secret of applications in Rails. */
const BASE_NAME = /(?<=secret_key_base)/iy;

const SMALL = 0x20;
const LAST_ASCII = 0x7f;
const UNDERSCORE = '_'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);
const HYPHEN = '-'.charCodeAt(0);

const KEY = pairOf('ey');
const TOKEN = pairOf('en');
const SECRET = pairOf('et');
const PASSWORD = pairOf('rd');
const PASSWORT = pairOf('rt');
const PASSWD = pairOf('wd');
const PASS = pairOf('ss');
const BASE = pairOf('se');
const KEY_LENGTH = 'key'.length;
const TOKEN_LENGTH = 'token'.length;

/** What can end with two letters: names of secrets, and words for passwords in other languages. */
export const NAME_END = 1;
export const WORD_END = 2;
const ENDS = new Uint8Array(PAIRS);
// Key, token, secret, password, passwort, passwd, pwd, pass and base.
for (const end of [KEY, TOKEN, SECRET, PASSWORD, PASSWORT, PASSWD, PASS, BASE]) ENDS[end]! |= NAME_END;
for (const word of PASSWORD_WORDS) if (/^[a-z]*$/i.test(word.slice(-2))) ENDS[pairOf(word.slice(-2))]! |= WORD_END;

/** The last two letters of what has keys or tokens. */
const IS_OWNER_END = new Uint8Array(PAIRS);
for (const owner of `${OWNERS_OF_KEYS}|${OWNERS_OF_TOKENS}`.split('|')) IS_OWNER_END[pairOf(owner.slice(-2))] = 1;

/** Which of them can end with two characters: for nearly all names, none. Letters beyond ASCII may end words. */
export function endsWith(before: number, last: number): number {
  return (before | last) > LAST_ASCII ? WORD_END : ENDS[smallPair(before, last)]!;
}

/** What the value of a name is: a drawn key is one where the name could be that of something else. */
export type NamedKind = 'key' | 'drawn key' | 'password';

/** What the value of the name is that ends here: undefined if it is no secret. */
export function kindNamed(text: string, end: number): NamedKind | undefined {
  switch (smallPair(text.charCodeAt(end - 2), text.charCodeAt(end - 1))) {
    case KEY:
      if (mayHaveOwner(text, end - KEY_LENGTH) && matchesAt(KEY_NAME, text, end)) return 'key';
      return matchesAt(isInCapitals(text, end) ? VARIABLE_KEY_NAME : SMALL_KEY_NAME, text, end)
        ? 'drawn key'
        : undefined;
    case TOKEN:
      if (isVariable(text, end)) return 'key';
      if (mayHaveOwner(text, end - TOKEN_LENGTH) && matchesAt(TOKEN_NAME, text, end)) return 'key';
      return DRAWN_TOKEN_NAMES.some((name) => matchesAt(name, text, end)) ? 'drawn key' : undefined;
    case SECRET:
      if (isVariable(text, end) || matchesAt(SECRET_NAME, text, end)) return 'key';
      return matchesAt(SMALL_SECRET_NAME, text, end) ? 'drawn key' : undefined;
    case PASS:
      return matchesAt(PASS_NAME, text, end) ? 'password' : undefined;
    case BASE:
      return matchesAt(BASE_NAME, text, end) ? 'key' : undefined;
    case PASSWORD:
    case PASSWORT:
    case PASSWD:
      return matchesAt(PASSWORD_NAME, text, end) ? 'password' : undefined;
    default:
      return undefined;
  }
}

/** Whether what stands in front of a name can be one of those that have keys or tokens, which is cheaper than the expressions. */
function mayHaveOwner(text: string, start: number): boolean {
  const joint = text.charCodeAt(start - 1);
  const end = joint === UNDERSCORE || joint === SPACE || joint === HYPHEN ? start - 1 : start;
  return isPairOf(IS_OWNER_END, text.charCodeAt(end - 2), text.charCodeAt(end - 1));
}

function isVariable(text: string, end: number): boolean {
  return isInCapitals(text, end) && matchesAt(VARIABLE_NAME, text, end);
}

/** Whether a name ends with a capital letter: a small one is that of no variable. */
function isInCapitals(text: string, end: number): boolean {
  return (text.charCodeAt(end - 1) & SMALL) === 0;
}

function isPairOf(pairs: Uint8Array, before: number, last: number): boolean {
  return (before | last) <= LAST_ASCII && pairs[smallPair(before, last)] === 1;
}

/**
 * Names that end here with a word that a mark, or its capital letter, joins to another one.
 *
 * @param word whose first letter is small or capital
 * @param others the words in front of it that say that it opens nothing, in any case
 */
function joinedName(word: string, others = ''): RegExp {
  const capital = capitalized(word);
  const either = `(?:${word}|${capital})`;
  const name = `(?:[A-Za-z0-9][_-]${either}|[a-z0-9]${capital})`;
  const small = others.toLowerCase();
  const other = `(?:(?<![A-Za-z])(?:${small})|${small.split('|').map(capitalized).join('|')})[_-]?${either}`;
  return new RegExp(`(?<=${name})${others === '' ? '' : `(?<!${other})`}`, 'y');
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function smallPair(before: number, last: number): number {
  return edgesOf(before | SMALL, last | SMALL, 0);
}

function pairOf(letters: string): number {
  return smallBeginningOf(edgesOfWord(letters));
}

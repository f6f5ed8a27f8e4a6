import { isIPv6 } from 'node:net';
import type { Detector, MatchHandler } from '../text/detector.js';
import { matchesAt } from '../text/sticky-match.js';
import type { TextPart } from '../text/text-part.js';
import { AsciiSet, isAlphanumeric, isDigit, isLetter } from '../text/character-kinds.js';
import { searchNumbers } from './number-search.js';
import { goesOn, hasBegun } from '../text/numbers.js';

/** The longest text of an address: of version 6 with one of version 4 at its end. */
const MAXIMUM_ADDRESS_LENGTH = 45;

/** `::1`. */
const MINIMUM_ADDRESS_LENGTH = 3;

/** Seven between eight groups; two of them together may be at one end. */
const MAXIMUM_COLONS = 8;

/** Without two of them together: the last two groups may be written as an address of version 4. */
const FEWEST_COLONS = 6;

/** How far one stands behind the other at most: a group has four digits. */
const MAXIMUM_COLON_DISTANCE = 5;

const COLON = ':'.charCodeAt(0);
const DOT = '.'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);
const SLASH = '/'.charCodeAt(0);
const HYPHEN = '-'.charCodeAt(0);
const SECTION_SIGN = '§'.charCodeAt(0);

const MAXIMUM_BYTE_DIGITS = 3;
const MAXIMUM_BYTE = 255;

/** Fewer digits are more likely part of a program than an address; `::1` is the exception. */
const FEWEST_DIGITS = 5;

/** Words after which numbers with dots are something else. */
const OTHER_NUMBERING =
  /(?:\bv|\bver|\bversion|\brelease|\bbuild|\bsection|\bclause|\bparagraph|\bchapter|\btable|\bfigure|\bfirmware|\bsemver|\btag|\brevision|\bhotfix|\bdriver|\bbios|\bsdk|§)\.?[ :="'(>]{0,4}$/i;

/** Words for the parts of documents, in large languages. */
const PART_NAMES =
  'sections?|subsections?|subclauses?|chapters?|paragraphs?|articles?|items?|annex|appendix|exhibit|' +
  'kapiteln?|abschnitte?n?|unterabschnitte?|ziffern?|paragraf|paragraph|absatz|punkte?|artikel|anhang|abbildung|tabelle|' +
  'chapitres?|paragraphes?|alinéas?|annexes?|cap[ií]tulos?|secci[oó]n|secciones|apartados?|p[aá]rrafos?|art[ií]culos?|anexos?|incisos?|cl[aá]usulas?|' +
  'capitol[oi]|sezion[ei]|paragraf[oi]|articol[oi]|allegato|se[cç]?[cç][aã]o|se[cç]ções|par[aá]grafos?|artigos?|' +
  'hoofdstuk|paragraaf|sectie|bijlage|rozdzia[łl]|rozdziale|sekcj[ai]|punkcie|kapitol[ayeu]|oddíl|článek|' +
  'avsnitt|kapittel|kapitlet|afsnit|luku|fejezet|capitolul|secțiunea|bölüm|madde|bab|pasal|' +
  'раздела?|разделе|глав[аеы]|пункта?|пункте|параграфа?|стать[яеи]|розділі?|κεφάλαιο|ενότητα';

/** Short forms of them, with a full stop. */
const SHORT_PART_NAMES = 'sec|sect|chap|ch|art|kap|abschn|abs|ziff|cap|par|rozdz|pkt|разд|гл|п|пп|ст';

/** What may stand between a word and the number it belongs to, and how much of it. */
const MARKS_BEHIND_NAME = '[ :="\'(>\\]]{0,6}';

/** Numbers in front of another one that the same word belongs to. */
const NUMBERS_BEFORE =
  '(?:\\d{1,3}(?:\\.\\d{1,6}){1,12}["\']?(?:, ?| ?[–-] ?|,? (?:and|or|to|und|oder|bis|et|ou|à|y|e|o|en|of|i|и) )["\']?){0,4}';

/** What says that a number is that of a part of a document. */
const PART_OF_DOCUMENT = new RegExp(
  `(?:(?<![\\p{L}\\d_])(?:(?:${PART_NAMES})|(?:${SHORT_PART_NAMES})\\.)|§|第)${MARKS_BEHIND_NAME}${NUMBERS_BEFORE}$`,
  'iu',
);

/** Names of parts of documents behind the number, as in `2.1.4.3. fejezet`. */
const PART_NAME_BEHIND = /\.? ?(?:fejezet|szakasz|pont|bölüm|madde|節|节|章|条|條|款|项|項)/y;

/** How addresses of private networks begin, which are no parts of documents. */
const PRIVATE_BEGINNING = '10.';

/** Parts of documents have small numbers. */
const PART_NUMBER = /\d{1,2}(?:\.\d{1,2}){3}(?!\d)/y;
const MAXIMUM_PART_LENGTH = '21.14.13.12'.length;

/** What says that a number is an object identifier (ITU-T X.660). */
const OBJECT_IDENTIFIER = new RegExp(
  `(?:(?<![a-z])oids?|object ?identifiers?|attributetype)${MARKS_BEHIND_NAME}${NUMBERS_BEFORE}$`,
  'i',
);

/** How these begin: no others are assigned. */
const IDENTIFIER_BEGINNING = /(?:[01]\.[1-3]?\d|2\.\d{1,3})\./y;

/** Types of names in certificates (ITU-T X.520), in front of their value. */
const NAME_TYPE = /2\.5\.4\.\d{1,3} ?=/y;

/** How far before a number the word is read that it belongs to. */
const MAXIMUM_NUMBERS_LENGTH = 96;

/** The names of browsers and of their parts, which their version follows. */
const BROWSER =
  /(?:chrome|chromium|crios|firefox|fxios|safari|edge?|edga|opr|opera|electron|version|browser|webview)\/$/i;

/** What may stand between these words and a number, and how much of it. */
const BEHIND_WORD = new AsciiSet((character) => '. :="\'(>'.includes(character));
const MAXIMUM_MARKS_BEHIND_WORD = 5;

/** What ends versions that are not released yet. */
const UNRELEASED = /-(?:alpha|beta|rc|dev|snapshot|preview|nightly|canary|next|final)/iy;

/** A word for versions as the end of a name, as in `AssemblyVersion("2.0.10.3")`. */
const VERSION_OF_NAME = /[a-z]Version[ :="'(>]{0,3}$/;

/** Operators of requirements for versions, and those that comparisons of addresses have too. */
const REQUIREMENT = /(?:[~^]=?|~>) ?$/;
const COMPARISON = /([\w.-]{1,64})(?:\[[\w,-]{1,40}\])?(?:[=!<>]=|===) ?$/;

const HAS_ADDRESS =
  /ip|addr|host|src|dst|server|gateway|dns|resolver|proxy|subnet|net|peer|client|remote|local|node|router|endpoint|listen|bind|route/i;

/** A command that installs programs or packages, and the name of one with the mark that its version follows. */
const INSTALLED =
  /\b(?:npm|npx|pnpm|yarn|bun|bunx|pip3?|pipx|uv|uvx|poetry|conda|mamba|brew|apt|apt-get|dnf|yum|apk|gem|cargo|go|dotnet|nuget|choco|winget|composer|mvn|helm|asdf|mise)\b[^\n|;&]{0,96}[\w/.-](?:\[[\w,-]{1,40}\])?(?:@|={1,3}|:)$/;

/** A package within a scope, as in `@scope/name@1.2.3.4`. */
const SCOPED = /@[\w.-]{1,64}\/[\w.-]{1,64}@$/;

/** An image of a container that is run, built on or named as one. */
const IMAGE =
  /(?:\bimage["']?|\b(?:docker|podman|nerdctl|skopeo|crane|FROM|image["']?:)[^\n|;&]{0,96}[ "'][\w./-]{1,64}):["' ]{0,2}$/;

/** An image or an artifact with a path or a group, as in `registry.example/app:` and `org.example:artifact:`. */
const PATH_OF_IMAGE =
  /(?<![\w.:/@-])(?:(?:[\w.-]{1,48}(?::\d{2,5})?\/){1,4}[\w.-]{1,48}|[a-z]\w{0,24}(?:\.\w{1,24}){1,4}:[\w.-]{1,48}):$/;

/** A sentence about a new version: from one to another, both in small numbers. */
const NEW_VERSION =
  /\b(?:upgrad|downgrad|bump|updat|roll(?:ed|ing)? ?back)\w{0,6}[^\n]{0,80}?(?:(?:from|to|→|->|=>|\()\s?["'`v]{0,2})$/i;
const ADDRESS_WORD =
  /\b(?:ips?|ipv4|addr\w*|hosts?|dns|nameservers?|resolvers?|server|gateway|proxy|subnet|route\w*|records?|peer|endpoint|firewall|vpn)\b/i;
const MAXIMUM_SENTENCE = 112;

/** Versions have small numbers at their beginning; those of most addresses have three digits, and 10 begins private networks. */
const SMALL_BEGINNING = /(?!10\.)\d{1,2}\.\d{1,3}\./y;
const MAXIMUM_COMMAND = 128;

/** What stands directly in front of such versions, but for spaces and quotation marks. */
const BEFORE_VERSION = /[=@:^~><(→a-z`][ "'`]{0,2}v?$/i;
const MAXIMUM_BEFORE = 4;

/** A path of folders up to a version of a program: folders that programs are installed in, and no host at its beginning. */
const PROGRAM_FOLDER =
  /(?<![\w:/\\])(?:[A-Z]:\\|\/)(?:[\w .()-]{1,40}[\\/]){0,8}?(?:bin|jvm|opt|sdks?|tools?|Cellar|Caskroom|toolchains?|versions|Program Files(?: \(x86\))?|node_modules)[\\/](?:[\w .()-]{1,40}[\\/]){0,3}$/i;
const MAXIMUM_PATH_LENGTH = 160;

/** What stands in folders of programs, behind the version. */
const PROGRAM_FILES = /[\\/](?:s?bin|lib(?:64|exec)?|jre|include|[\w-]{1,40}\.(?:exe|dll|jar|so|dylib))(?![\w-])/iy;

/** How versions begin in such a folder. Three digits are those of few programs, but of most addresses, and 10 of private networks. */
const VERSION_BEGINNING = /(?!10\.)\d{1,2}\./y;

const BACKSLASH = '\\'.charCodeAt(0);

/** The most characters in front of an address that are looked at for them. */
const MAXIMUM_WORD_LENGTH = 17;

/** The first address of a range. */
const RANGE_BEGINNING = /(?:^|[^\d.])\d{1,3}(?:\.\d{1,3}){3}-$/;

/** Eight pairs of digits are the address of a device (EUI-64). */
const DEVICE_ADDRESS = /^[0-9a-f]{2}(?::[0-9a-f]{2}){7}$/i;

/** The characters of addresses. */
const IN_ADDRESS = new AsciiSet((character) => /[0-9A-Fa-f:.]/.test(character));

/** Finds addresses of the internet protocol, versions 4 and 6 (docs/interface/content-filters.md#ip-address). */
export const IP_ADDRESS: Detector = {
  detect(part: TextPart, from: number, found: MatchHandler): number {
    detectVersion6(part, from, found);
    const {
      text,
      words: { digitEnds },
    } = part;
    return searchNumbers(part, from, (start, index) =>
      digitEnds[index]! - start <= MAXIMUM_BYTE_DIGITS && text.charCodeAt(digitEnds[index]!) === DOT
        ? findVersion4(text, start, found)
        : start,
    );
  },
};

/** Looks for an address that begins here. @returns where the search goes on */
function findVersion4(text: string, start: number, found: MatchHandler): number {
  const end = version4End(text, start);
  if (end === -1 || isVersion6End(text, start)) return start;
  if (
    hasBegun(text, start, '.-_') &&
    !RANGE_BEGINNING.test(text.slice(Math.max(0, start - MAXIMUM_WORD_LENGTH), start))
  )
    return start;
  if (goesOn(text, end, '.-_') && (text.charAt(end) !== '-' || version4End(text, end + 1) === -1)) return start;
  if (isOtherNumber(text, start) || isUnreleased(text, end) || isProgramFolder(text, start, end)) return start;
  if (isPartOfDocument(text, start, end) || isObjectIdentifier(text, start) || isVersion(text, start)) return start;
  found(start, end);
  return end;
}

/** Whether what stands in front of four numbers says that they are the version of something, or the number of a section. */
function isOtherNumber(text: string, start: number): boolean {
  let last = start - 1;
  while (start - last <= MAXIMUM_MARKS_BEHIND_WORD && BEHIND_WORD.has(text.charCodeAt(last))) last -= 1;
  const code = text.charCodeAt(last);
  if (!isLetter(code) && code !== SLASH && code !== SECTION_SIGN) return false;
  const before = text.slice(Math.max(0, start - MAXIMUM_WORD_LENGTH), start);
  return OTHER_NUMBERING.test(before) || VERSION_OF_NAME.test(before) || BROWSER.test(before);
}

/** Whether four numbers are the version of a package, an image or a program, by what stands in front of them. */
function isVersion(text: string, start: number): boolean {
  if (!matchesAt(SMALL_BEGINNING, text, start)) return false;
  if (!BEFORE_VERSION.test(text.slice(Math.max(0, start - MAXIMUM_BEFORE), start))) return false;
  const before = text.slice(Math.max(0, start - MAXIMUM_COMMAND), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (REQUIREMENT.test(line) || SCOPED.test(line) || INSTALLED.test(line)) return true;
  const [, compared] = COMPARISON.exec(line) ?? [];
  if (compared !== undefined) return !HAS_ADDRESS.test(compared);
  if (!line.includes('://') && (IMAGE.test(line) || PATH_OF_IMAGE.test(line))) return true;
  const sentence = line.slice(-MAXIMUM_SENTENCE);
  return NEW_VERSION.test(sentence) && !ADDRESS_WORD.test(sentence);
}

/** Whether four numbers are those of a part of a document, as in `Kapitel 2.1.4.3`. */
function isPartOfDocument(text: string, start: number, end: number): boolean {
  if (end - start > MAXIMUM_PART_LENGTH || text.startsWith(PRIVATE_BEGINNING, start)) return false;
  if (!matchesAt(PART_NUMBER, text, start)) return false;
  return (
    matchesAt(PART_NAME_BEHIND, text, end) ||
    PART_OF_DOCUMENT.test(text.slice(Math.max(0, start - MAXIMUM_NUMBERS_LENGTH), start))
  );
}

/** Whether four numbers say what a field of a certificate or of a directory is, as in `OID 2.5.4.3`. */
function isObjectIdentifier(text: string, start: number): boolean {
  if (text.charCodeAt(start + 1) !== DOT || !matchesAt(IDENTIFIER_BEGINNING, text, start)) return false;
  return (
    matchesAt(NAME_TYPE, text, start) ||
    OBJECT_IDENTIFIER.test(text.slice(Math.max(0, start - MAXIMUM_NUMBERS_LENGTH), start))
  );
}

/** Whether four numbers are the version of a program in the name of its folder, as in `/opt/app/7.4.2.1/bin`. */
function isProgramFolder(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1);
  if (before !== SLASH && before !== BACKSLASH) return false;
  if (!matchesAt(PROGRAM_FILES, text, end) || !matchesAt(VERSION_BEGINNING, text, start)) return false;
  return PROGRAM_FOLDER.test(text.slice(Math.max(0, start - MAXIMUM_PATH_LENGTH), start));
}

function isUnreleased(text: string, end: number): boolean {
  return text.charCodeAt(end) === HYPHEN && matchesAt(UNRELEASED, text, end);
}

/** Whether an address of version 4 is the end of one of version 6, as in `::ffff:192.0.2.1`. */
function isVersion6End(text: string, start: number): boolean {
  return text.charCodeAt(start - 1) === COLON && /:[0-9A-Fa-f]{0,4}:$/.test(text.slice(Math.max(0, start - 6), start));
}

/** @returns the end of four numbers from 0 to 255 with dots between them; -1 if they are not there */
function version4End(text: string, start: number): number {
  let position = start;
  for (let part = 1; part < 4; part += 1) {
    const end = byteEnd(text, position);
    if (end === -1 || text.charCodeAt(end) !== DOT) return -1;
    position = end + 1;
  }
  return byteEnd(text, position);
}

/** @returns the end of a number from 0 to 255 without leading zeros; -1 if it is not there */
function byteEnd(text: string, start: number): number {
  let value = 0;
  let end = start;
  for (; end - start <= MAXIMUM_BYTE_DIGITS && isDigit(text.charCodeAt(end)); end += 1) {
    value = 10 * value + text.charCodeAt(end) - ZERO;
  }
  const hasLeadingZero = end - start > 1 && text.charCodeAt(start) === ZERO;
  return end === start || end - start > MAXIMUM_BYTE_DIGITS || hasLeadingZero || value > MAXIMUM_BYTE ? -1 : end;
}

function detectVersion6(part: TextPart, from: number, found: MatchHandler): void {
  if (!mayHoldVersion6(part)) return;
  const { text } = part;
  let first = from - MAXIMUM_ADDRESS_LENGTH;
  let position = from;
  for (const colon of part.words.colons) {
    if (colon < position) continue;
    const { start, end, next } = addressAround(text, colon, first);
    if (isVersion6(text, start, end)) found(start, end);
    [first, position] = [next, next];
  }
}

/**
 * Whether colons stand anywhere as they do in an address: two side by side, or six with a group between any two. Times of the day,
 * of which logs are full, have fewer.
 */
function mayHoldVersion6({ text, from, to, words: { colons } }: TextPart): boolean {
  let [last, inRow] = [-MAXIMUM_ADDRESS_LENGTH, 0];
  const isClose = (colon: number): boolean => {
    inRow = colon - last <= MAXIMUM_COLON_DISTANCE ? inRow + 1 : 1;
    const isSecond = colon === last + 1;
    last = colon;
    return isSecond || inRow === FEWEST_COLONS;
  };
  // An address may reach beyond the part on either side.
  const isCloseBetween = (start: number, end: number): boolean => {
    for (let position = start; position < end; position += 1) {
      if (text.charCodeAt(position) === COLON && isClose(position)) return true;
    }
    return false;
  };
  return (
    isCloseBetween(Math.max(0, from - MAXIMUM_ADDRESS_LENGTH), from) ||
    colons.some(isClose) ||
    isCloseBetween(to, Math.min(to + MAXIMUM_ADDRESS_LENGTH, text.length))
  );
}

/** What may be an address around a colon. */
interface Candidate {
  readonly start: number;
  readonly end: number;
  /** Where further ones may be. */
  readonly next: number;
}

/** @param first where the candidate before it ends, for each character belongs to one */
function addressAround(text: string, colon: number, first: number): Candidate {
  let start = colon;
  while (start > first && colon - start < MAXIMUM_ADDRESS_LENGTH && IN_ADDRESS.has(text.charCodeAt(start - 1)))
    start -= 1;
  let end = colon + 1;
  while (end - start <= MAXIMUM_ADDRESS_LENGTH && IN_ADDRESS.has(text.charCodeAt(end))) end += 1;
  const next = end;
  // A full stop or a colon behind an address belongs to the sentence, but two colons to the address.
  while (
    end > colon &&
    (text.charAt(end - 1) === '.' || (text.charAt(end - 1) === ':' && text.charAt(end - 2) !== ':'))
  ) {
    end -= 1;
  }
  return { start, end, next };
}

function isVersion6(text: string, start: number, end: number): boolean {
  if (
    end - start < MINIMUM_ADDRESS_LENGTH ||
    isAlphanumeric(text.charCodeAt(start - 1)) ||
    isAlphanumeric(text.charCodeAt(end))
  )
    return false;
  const address = text.slice(start, end);
  // Much cheaper than the full check, and leaves out nearly all that is not an address.
  const colons = colonsIn(address);
  if (colons < 2 || colons > MAXIMUM_COLONS || !isIPv6(address) || DEVICE_ADDRESS.test(address) || isSlice(text, start))
    return false;
  const digits = address.replace(/[:.]/g, '');
  return (
    address === '::1' ||
    (digits.length >= FEWEST_DIGITS && Array.from(digits).some((digit) => isDigit(digit.charCodeAt(0))))
  );
}

function colonsIn(address: string): number {
  let colons = 0;
  for (let at = address.indexOf(':'); at !== -1; at = address.indexOf(':', at + 1)) colons += 1;
  return colons;
}

/** Whether an expression in brackets follows a name: it is a slice of that, as in `list[1::2]`. */
function isSlice(text: string, start: number): boolean {
  return text.charAt(start - 1) === '[' && /[\w\])]/.test(text.charAt(start - 2));
}

import type { Detector, MatchHandler } from '../text/detector.js';
import { matchAt } from '../text/sticky-match.js';
import type { TextPart } from '../text/text-part.js';
import { isAlphanumeric, isDigit, isLetter, LAST_EXTENDED_LETTER } from '../text/character-kinds.js';

/** The longest parts of an address (RFC 5321, section 4.5.3.1). */
const MAXIMUM_LOCAL_PART_LENGTH = 64;
const MAXIMUM_DOMAIN_LENGTH = 253;
const MAXIMUM_LABEL_LENGTH = 63;

/** How far back the scheme of a URL is looked for. */
const MAXIMUM_USER_INFORMATION_LENGTH = 128;

const DOT = '.'.charCodeAt(0);
const HYPHEN = '-'.charCodeAt(0);
const APOSTROPHE = "'".charCodeAt(0);

const QUOTATION_MARK = '"'.charCodeAt(0);
const EQUALS = '='.charCodeAt(0);
const BRACKET = '['.charCodeAt(0);

/** A local part in quotation marks (RFC 5321, section 4.1.2), but no variable of a program. */
const QUOTED_LOCAL_PART =
  /(?<![\w"\\@])"(?![ $%{<,;:)\]}])(?:[\w !#$%&'*+/=?^`{|}~.@()<>[\],:;\u00c0-\u052f-]|\\[ -~]){1,62}(?<![ \\])"$/;

/** The address of a host instead of a domain (RFC 5321, section 4.1.3), but no port behind it. */
const ADDRESS_LITERAL =
  /\[(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}|IPv6:(?=[\da-f]*:[\da-f]*:)[\da-f:.]{3,45})\](?!:\S)/iy;

/** What schemes that tag the addresses of senders begin a local part with: BATV and SRS. */
const SENDER_TAG = /^(?:(?:ms)?prvs\d*|btv1|srs[01](?:[+-][\w+-]*)?)$/i;

/** How local parts begin to which mail is returned; behind them stands to whom it was sent, as in `bounce-1-2=list@host` (VERP). */
const RETURN_TAG = /(?:^|[-_.+])(?:bounces?|returns?|verp|unsub|unsubscribe|fbl)(?:\+|[-.].*\d)/i;

/** How local parts of lists begin, which are followed by a plus sign and the name of a person. */
const RETURN_TAG_OF_LIST = /(?:^|[-_.+])(?:owner|sender|request|confirm|errors?)[\w.-]*\+/i;

/** Letters, marks and digits of the alphabets besides the Latin, Greek and Cyrillic ones (RFC 6531). */
const OTHER_LETTER = /[\p{L}\p{M}\p{Nd}]/u;

/** Besides letters and digits; further ones are legal (RFC 5322), but delimit addresses in nearly all texts. */
const LOCAL_PUNCTUATION = new Set(Array.from("_+-'", (character) => character.charCodeAt(0)));

/** Finds email addresses: from each at sign to both sides (docs/interface/content-filters.md#email). */
export const EMAIL: Detector = {
  detect(part: TextPart, from: number, found: MatchHandler): number {
    const { text } = part;
    for (let at = part.indexOf('@', from); at !== -1; at = part.indexOf('@', at + 1)) {
      const start = localPartStart(text, at);
      if (start === at) continue;
      const end = text.charCodeAt(at + 1) === BRACKET ? literalEnd(text, at + 1) : domainEnd(text, at + 1);
      if (end !== -1 && !isFileOrCode(text, start, at, end) && !isRemoteLogin(text, start, at, end)) found(start, end);
    }
    return part.to;
  },
};

/** @returns the position of the at sign if nothing before it is a local part */
function localPartStart(text: string, at: number): number {
  // Words of languages without spaces stand directly before addresses in Latin letters, so a local part is of these or of others.
  const isOther = isOtherLetter(text, at - 1) || (isOtherLetter(text, at + 1) && hasOtherLetterBefore(text, at));
  let start = at;
  for (let position = at - 1; position >= at - MAXIMUM_LOCAL_PART_LENGTH; position -= 1) {
    const code = text.charCodeAt(position);
    if (isAlphanumeric(code) || LOCAL_PUNCTUATION.has(code) || (isOther && isOtherLetter(text, position)))
      start = position;
    // A dot stands between two other characters.
    else if (code !== DOT || start !== position + 1 || position === at - 1) break;
  }
  if (start === at) return text.charCodeAt(at - 1) === QUOTATION_MARK ? quotedStart(text, at) : at;
  // Quotation marks around an address are not part of it.
  while (start < at && text.charCodeAt(start) === APOSTROPHE) start += 1;
  return text.charCodeAt(start - 1) === EQUALS ? tagStart(text, start, at) : start;
}

/** Whether a code unit is a letter of another alphabet, or a half of one. */
function isOtherLetter(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  if (!(code > LAST_EXTENDED_LETTER)) return false;
  const isLow = code >= 0xdc00 && code <= 0xdfff;
  return OTHER_LETTER.test(String.fromCodePoint(text.codePointAt(isLow ? position - 1 : position)!));
}

/** Whether a local part that ends with digits or the like has letters of another alphabet. */
function hasOtherLetterBefore(text: string, at: number): boolean {
  let position = at - 1;
  while (
    isDigit(text.charCodeAt(position)) ||
    text.charCodeAt(position) === DOT ||
    LOCAL_PUNCTUATION.has(text.charCodeAt(position))
  )
    position -= 1;
  return position < at - 1 && isOtherLetter(text, position);
}

function quotedStart(text: string, at: number): number {
  const [quoted = ''] = QUOTED_LOCAL_PART.exec(text.slice(Math.max(0, at - MAXIMUM_LOCAL_PART_LENGTH - 1), at)) ?? [];
  return at - quoted.length;
}

/**
 * Where a local part begins whose tag ends with an equals sign; nearly all of these stand between a name and a value.
 *
 * @param start of the rest of the local part, behind the equals sign
 */
function tagStart(text: string, start: number, at: number): number {
  const before = text.slice(Math.max(0, at - MAXIMUM_LOCAL_PART_LENGTH), start);
  const [run = ''] = /[\w.+=-]*$/.exec(before) ?? [];
  const pieces = run.split('=').slice(0, -1);
  // What stands behind a question mark or an ampersand is the name of a parameter.
  const first = /[?&]$/.test(before.slice(0, before.length - run.length)) ? 1 : 0;
  const tag = pieces.findIndex((piece, index) => index >= first && isTag(piece));
  return tag === -1 ? start : start - pieces.slice(tag).join('=').length - 1;
}

function isTag(piece: string): boolean {
  return SENDER_TAG.test(piece) || RETURN_TAG.test(piece) || RETURN_TAG_OF_LIST.test(piece);
}

/** @returns -1 if no address of a host stands in brackets */
function literalEnd(text: string, start: number): number {
  const literal = matchAt(ADDRESS_LITERAL, text, start);
  return literal === undefined ? -1 : start + literal.length;
}

/** @returns the end of the longest domain with a top level; -1 if there is none */
function domainEnd(text: string, start: number): number {
  let labels = 0;
  let end = -1;
  for (let position = start; position - start <= MAXIMUM_DOMAIN_LENGTH;) {
    const labelEnd = labelEndOf(text, position);
    if (labelEnd === position) break;
    labels += 1;
    if (labels > 1 && isTopLevel(text, position, labelEnd)) end = labelEnd;
    if (text.charCodeAt(labelEnd) !== DOT) break;
    position = labelEnd + 1;
  }
  return end;
}

function labelEndOf(text: string, start: number): number {
  const isOther = isOtherLetter(text, start);
  let end = start;
  const longest = start + MAXIMUM_LABEL_LENGTH;
  for (let position = start; position < longest; position += 1) {
    const code = text.charCodeAt(position);
    if (isOther ? isOtherLetter(text, position) || isDigit(code) : isAlphanumeric(code)) end = position + 1;
    else if (code !== HYPHEN || position === start) break;
  }
  return end;
}

/** Two letters or more, or the encoding of letters beyond ASCII. */
function isTopLevel(text: string, start: number, end: number): boolean {
  if (end - start < 2) return false;
  if (text.startsWith('xn--', start)) return true;
  for (let position = start; position < end; position += 1) {
    if (!isLetter(text.charCodeAt(position)) && !isOtherLetter(text, position)) return false;
  }
  return true;
}

/** Endings of files that are no top level of domains. */
const FILE_ENDING =
  /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico|woff|ttf|otf|eot|css|js|json|html|txt|pdf|log|conf|cfg|toml|ya?ml|csv|xml|tgz|gz|whl|jar|tsx|jsx|scss)$/i;
const MAXIMUM_ENDING = 7;

/** The kinds of units of systemd, whose instances stand behind an at sign, as in `getty@tty1.service`. */
const UNIT = /\.(?:service|socket|device|mount|automount|swap|target|path|timer|slice|scope)$/;

/** Slots of objects in R, as in `pbmc@meta.data`, and methods of matrices that are multiplied in Python, as in `q@k.transpose(0, 1)`. */
const SLOT =
  /@(?:(?:meta|raw|scale)\.data|active\.(?:ident|assay)|var\.features|cell\.(?:names|embeddings)|feature\.loadings|project\.name)$/;
const MEMBER = /^(?:\$[A-Za-z_]|\[\[)/;
const METHOD =
  /\.(?:T|mT|inv|dot|sum|mean|conj|transpose|permute|flatten|reshape|view|numpy|detach|unsqueeze|squeeze|weight)$/;

/** Words of programs before a label, as in `this@Outer.field`. */
const LABELED_WORDS = new Set(['this', 'super', 'return', 'break', 'continue']);

/** The name of a file, such as the image `logo@2x.png` for screens of higher resolution, or part of a program. */
function isFileOrCode(text: string, start: number, at: number, end: number): boolean {
  if (LABELED_WORDS.has(text.slice(start, at)) || FILE_ENDING.test(text.slice(Math.max(at, end - MAXIMUM_ENDING), end)))
    return true;
  const domain = text.slice(at, end);
  if (UNIT.test(domain) || SLOT.test(domain) || MEMBER.test(text.slice(end, end + 2))) return true;
  if (text.charAt(end) === '(' && METHOD.test(domain)) return true;
  return isDigit(text.charCodeAt(at + 1)) && /^\d{1,2}x\.\w+$/.test(text.slice(at + 1, Math.min(end, at + 12)));
}

/** Whether a name and a host say where to log in, as in `git@host:path` or `https://name:password@host`. */
function isRemoteLogin(text: string, start: number, at: number, end: number): boolean {
  if (text.slice(start, at) === 'git' && /^[:/]\S/.test(text.slice(end, end + 2))) return true;
  // As in `scp name@host:/path`.
  if (/^:(?:\/(?!\/)|~)/.test(text.slice(end, end + 3))) return true;
  const before = text.slice(Math.max(0, start - MAXIMUM_USER_INFORMATION_LENGTH), start);
  return /:\/\/[^\s/?#@]*$/.test(before);
}

import { AsciiSet, matchAt } from '../../../../packages/content-detectors/index.js';

/** What an escape stands for, and where it ends; undefined if none begins here. */
type DecodedEscape = readonly [decoded: string, end: number] | undefined;

const BACKSLASH = 0x5c;

/** The characters after a backslash, and what the two stand for together. */
const DECODED: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['"', '"'],
  ['/', '/'],
]);

const CODE = /^u([\dA-Fa-f]{4})/;
const MAXIMUM_CODE_LENGTH = 5;
const HIGH_SURROGATE = /^[\ud800-\udbff]$/;
const LOW_SURROGATE = /^[\udc00-\udfff]$/;

/** A character of ASCII in an address, where percent signs may be encoded themselves, as often as in `%252540`. */
const PERCENT_CODE = /%(?:25){0,3}(?:[2-6][\dA-F]|7[\dA-E]|0[9AD])/iy;

/** A character beyond ASCII in an address: two to four bytes of UTF-8. */
const PERCENT_BYTES = /%(?:C[2-9A-F]|D[\dA-F]|E[\dA-F]%[89AB][\dA-F]|F[0-4](?:%[89AB][\dA-F]){2})%[89AB][\dA-F]/iy;

/** A character reference in HTML: by number, or by the names of the characters in or around values. */
const ENTITY = /&(?:#(\d{1,7})|#x([\dA-F]{1,6})|([A-Za-z]{3,14}));/iy;
const LAST_CODE_POINT = 0x10ffff;
const NAMED: ReadonlyMap<string, string> = new Map([
  ['nbsp', '\u00a0'],
  ['ensp', ' '],
  ['emsp', ' '],
  ['thinsp', ' '],
  ['commat', '@'],
  ['period', '.'],
  ['hyphen', '-'],
  ['dash', '-'],
  ['ndash', '\u2013'],
  ['minus', '\u2212'],
  ['plus', '+'],
  ['lowbar', '_'],
  ['colon', ':'],
  ['sol', '/'],
  ['equals', '='],
  ['lpar', '('],
  ['rpar', ')'],
  ['num', '#'],
  ['quot', '"'],
  ['shy', ''],
  ['zwj', ''],
  ['zwnj', ''],
  ['lrm', ''],
  ['rlm', ''],
  ['ZeroWidthSpace', ''],
  ['NoBreak', ''],
]);

/** The characters that follow a percent sign or an ampersand at the beginning of an escape, by which most others are skipped. */
export const BEGINS_PERCENT_CODE = new AsciiSet((character) => /[0-7c-f]/i.test(character));
export const BEGINS_ENTITY = new AsciiSet((character) => /[#a-z]/i.test(character));

/** Spaces are only read between digits: pages are full of them. */
const SPACE = /^[ \u00a0\u2002-\u200a]$/;
const IN_NUMBER = new AsciiSet((character) => /[\d)]/.test(character));

/** The characters whose entities are not decoded: decoded, a quoted tag would count as a tag. */
const ANGLE_BRACKETS = /^[<>]$/;

/**
 * Characters that say nothing by themselves, such as soft hyphens, zero-width characters, marks of direction and variation selectors: by the
 * properties that Unicode gives them (UAX #44), so that none is forgotten.
 */
const IGNORABLE_CLASS = '[\\p{Default_Ignorable_Code_Point}\\p{Cf}]';
const IGNORABLE = new RegExp(IGNORABLE_CLASS, 'u');
export const IGNORABLE_RUN = new RegExp(`${IGNORABLE_CLASS}+`, 'gu');

/** The code units that one of them can begin with: searched for in a tenth of the time. */
export const MAY_BE_IGNORABLE = new RegExp(`[${ignorableUnits()}\ud800-\udbff]`);

/** A number of seven digits or more with an exponent, or a longer one with a fraction of zeros: JSON and tables write whole numbers so. */
export const WRITTEN_NUMBER =
  /(?:(?<![\w.])|(?<=\\[nrt]))(?=[\d.]{7})(?:\d{1,20}(?:\.\d{1,20})?e[+-]?\d{1,2}|\d{9,20}\.0{1,20})(?![\w.])/gi;

/** What such a number has, which is searched for in a tenth of the time. */
export const MAY_BE_WRITTEN_NUMBER = /\d[eE][+-]?\d|\d{9}\.0/;

/** The most digits of a number that is read. */
const MAXIMUM_DIGITS = 40;

/** JSON in JSON doubles the backslashes each time. */
const MAXIMUM_BACKSLASHES = 16;

/** What backslashes and the characters behind them stand for, undefined if for nothing else, and where they end. */
export function decodedBackslashes(source: string, begin: number): readonly [decoded: string | undefined, end: number] {
  const behind = backslashesEnd(source, begin);
  const [decoded, length] = decodedAt(source, behind);
  const end = behind + length;
  if (decoded === undefined || length === 1) return [decoded, end];
  // A character of two code units is two escapes.
  const second = HIGH_SURROGATE.test(decoded) ? backslashesEnd(source, end) : end;
  const [low = '', lowLength] = second === end ? [] : decodedAt(source, second);
  const isPair = LOW_SURROGATE.test(low);
  if (isPair && IGNORABLE.test(decoded + low)) return ['', second + lowLength!];
  return [IGNORABLE.test(decoded) ? '' : decoded, end];
}

function backslashesEnd(source: string, start: number): number {
  if (source.charCodeAt(start) !== BACKSLASH) return start;
  let end = start + 1;
  while (end - start < MAXIMUM_BACKSLASHES && source.charCodeAt(end) === BACKSLASH) end += 1;
  return end;
}

/** What the characters after backslashes stand for, and how many they are. */
function decodedAt(source: string, position: number): readonly [decoded: string | undefined, length: number] {
  const character = source.charAt(position);
  const decoded = DECODED.get(character);
  if (decoded !== undefined) return [decoded, 1];
  const code = character === 'u' ? CODE.exec(source.slice(position, position + MAXIMUM_CODE_LENGTH))?.[1] : undefined;
  return code === undefined ? [undefined, 0] : [String.fromCharCode(Number.parseInt(code, 16)), MAXIMUM_CODE_LENGTH];
}

/** Decodes an escape of addresses. */
export function decodedPercentCode(source: string, position: number): DecodedEscape {
  const code = matchAt(PERCENT_CODE, source, position);
  if (code === undefined) return ignorablePercentBytes(source, position);
  return [String.fromCharCode(Number.parseInt(code.slice(-2), 16)), position + code.length];
}

/** Of characters beyond ASCII only those that can be ignored are decoded. */
function ignorablePercentBytes(source: string, position: number): DecodedEscape {
  const bytes = matchAt(PERCENT_BYTES, source, position);
  if (bytes === undefined) return undefined;
  const character = Buffer.from(bytes.replaceAll('%', ''), 'hex').toString();
  return IGNORABLE.test(character) ? ['', position + bytes.length] : undefined;
}

/** Decodes a character reference of HTML. */
export function decodedEntity(source: string, position: number): DecodedEscape {
  ENTITY.lastIndex = position;
  const match = ENTITY.exec(source);
  if (match === null) return undefined;
  const character = entityCharacter(match);
  if (character === undefined || ANGLE_BRACKETS.test(character)) return undefined;
  if (SPACE.test(character) && !IN_NUMBER.has(source.charCodeAt(position - 1))) return undefined;
  return [IGNORABLE.test(character) ? '' : character, position + match[0].length];
}

function entityCharacter([, decimal, hexadecimal, name = '']: RegExpExecArray): string | undefined {
  if (decimal === undefined && hexadecimal === undefined) return NAMED.get(name);
  const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
  return code > LAST_CODE_POINT ? undefined : String.fromCodePoint(code);
}

/** The digits of a number that is written in another form: undefined if that has a fraction, or too many digits. */
export function wholeNumber(written: string): string | undefined {
  const [, whole = '', fraction = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(written)!;
  const point = whole.length + Number(exponent);
  if (point < 1 || point > MAXIMUM_DIGITS) return undefined;
  const digits = (whole + fraction).padEnd(point, '0');
  if (/[1-9]/.test(digits.slice(point))) return undefined;
  return digits.slice(0, point).replace(/^0+(?=\d)/, '');
}

/** The code units of which each is an ignorable character, as the ranges of a class. */
function ignorableUnits(): string {
  const ranges: string[] = [];
  for (let code = 0; code <= 0xffff; code += 1) {
    const start = code;
    while (code <= 0xffff && IGNORABLE.test(String.fromCharCode(code))) code += 1;
    if (code > start) ranges.push(`${String.fromCharCode(start)}-${String.fromCharCode(code - 1)}`);
  }
  return ranges.join('');
}

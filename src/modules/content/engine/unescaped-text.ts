import { AsciiSet, matchAt, type Span } from '../../../../packages/content-detectors/index.js';
import type { LongWork } from '../../../concurrency/long-work.js';

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
const BEGINS_PERCENT_CODE = new AsciiSet((character) => /[0-7c-f]/i.test(character));
const BEGINS_ENTITY = new AsciiSet((character) => /[#a-z]/i.test(character));

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
const IGNORABLE_RUN = new RegExp(`${IGNORABLE_CLASS}+`, 'gu');

/** The code units that one of them can begin with: searched for in a tenth of the time. */
const MAY_BE_IGNORABLE = new RegExp(`[${ignorableUnits()}\ud800-\udbff]`);

/** How far beyond a portion the characters before its end reach, in code units. */
const CHARACTER_REACH = 1;

/** A number of seven digits or more with an exponent, or a longer one with a fraction of zeros: JSON and tables write whole numbers so. */
const WRITTEN_NUMBER =
  /(?:(?<![\w.])|(?<=\\[nrt]))(?=[\d.]{7})(?:\d{1,20}(?:\.\d{1,20})?e[+-]?\d{1,2}|\d{9,20}\.0{1,20})(?![\w.])/gi;

/** What such a number has, which is searched for in a tenth of the time. */
const MAY_BE_WRITTEN_NUMBER = /\d[eE][+-]?\d|\d{9}\.0/;

/** What is read before such a number, and how long it is at most. */
const NUMBER_LOOKBEHIND = 2;
const NUMBER_REACH = 48;

/** The most digits of a number that is read. */
const MAXIMUM_DIGITS = 40;

/** The position of a kind of escape that does not occur any more. */
const NOWHERE = Number.POSITIVE_INFINITY;

/** JSON in JSON doubles the backslashes each time. */
const MAXIMUM_BACKSLASHES = 16;

/** The characters that are read between two looks at the clock (under 1 ms). */
const PORTION = 65_536;

/** The numbers that are kept of an escape: where its decoded text begins and ends, and where it ends in the source. */
const NUMBERS = 3;

/** How far before or after an escape a match can begin that only the decoded text has, in code units; longer values begin after an escape. */
const REACH = 1_024;

/** The length at which a stretch around escapes ends and the next one begins, in code units. */
const MAXIMUM_STRETCH = 65_536;

/** The number of escapes that memory is allocated for at first. */
const FIRST_ROOM = 64;

/**
 * A text with the escapes of JSON (also of JSON in JSON), addresses and HTML decoded, and the places of the escapes in the source. Ignorable
 * characters are left out, like escapes that stand for nothing, and whole numbers in another form are written in digits. Everything else stays.
 *
 *     source    a \ n b % 4 0 c
 *     offset    0 1 2 3 4 5 6 7
 *
 *     decoded   a ⏎ b @ c
 *     offset    0 1 2 3 4
 *
 * Each escape is kept as three offsets: decoded start, decoded end, source end. Here they are (1, 2, 3) for `\n` and (3, 4, 7) for `%40`.
 * After the second escape the source is 7 - 4 = 3 characters ahead: `c` is at 4 in the decoded text, and at 7 in the source.
 */
export class UnescapedText {
  /** The decoded text. */
  text = '';
  private count = 0;
  private escapes = new Int32Array(NUMBERS * FIRST_ROOM);
  private position = 0;
  private length = 0;
  /** The position at which each kind of escape may begin next. */
  private backslash = -1;
  private percent = -1;
  private ampersand = -1;
  private ignorable = -1;
  private number = -1;
  /** Where those of them end whose beginning is no pattern of its own. */
  private ignorableEnd = -1;
  private numberEnd = -1;

  private constructor(private readonly source: string) {}

  /**
   * Decodes a text.
   *
   * @param work lets others use the event loop where the text is long
   * @returns undefined for a text without escapes
   * @throws the reason of the work's signal
   */
  static async of(source: string, work: LongWork): Promise<UnescapedText | undefined> {
    const unescaped = new UnescapedText(source);
    const portions: string[] = [];
    while (unescaped.position < source.length) {
      if (work.mustRest) await work.rest();
      portions.push(unescaped.readPortion());
    }
    if (unescaped.count === 0) return undefined;
    unescaped.text = portions.join('');
    return unescaped;
  }

  /** The place of a part of the decoded text in the source, with whole escapes. */
  placeOf({ start, end }: Span): Span {
    // An escape that stands for nothing is between two characters, and belongs to neither.
    const before = this.countWhere((index) => this.decodedEnd(index) <= start);
    const within = this.countWhere((index) => this.decodedStart(index) < end);
    return { start: start + this.shiftAfter(before), end: end + this.shiftAfter(within) };
  }

  /** Extends a part of the source by the rest of the escapes that it cuts. */
  withWholeEscapes({ start, end }: Span): Span {
    const first = this.countWhere((index) => this.sourceEnd(index) <= start);
    const last = this.countWhere((index) => this.sourceEnd(index) < end);
    return {
      start: first < this.count ? Math.min(start, this.sourceStart(first)) : start,
      end: last < this.count && this.sourceStart(last) < end ? this.sourceEnd(last) : end,
    };
  }

  /** The stretches of the decoded text with possible matches that the source does not have, in their order. */
  *stretches(): Generator<Span, void, undefined> {
    let [start, end] = [0, 0];
    for (let index = 0; index < this.count; index += 1) {
      const character = this.decodedStart(index);
      if (character - REACH > end || end - start > MAXIMUM_STRETCH) {
        if (end > start) yield { start, end };
        start = Math.max(character - REACH, end);
      }
      end = Math.min(character + REACH, this.text.length);
    }
    yield { start, end };
  }

  /** Reads about {@link PORTION} characters. @returns them decoded */
  private readPortion(): string {
    const { source } = this;
    const stop = Math.min(this.position + PORTION, source.length);
    const pieces: string[] = [];
    let taken = this.position;
    const portion = source.slice(taken, stop);
    this.ignorable = MAY_BE_IGNORABLE.test(portion) ? -1 : NOWHERE;
    this.number = MAY_BE_WRITTEN_NUMBER.test(source.slice(taken, stop + NUMBER_REACH)) ? -1 : NOWHERE;
    const take = (end: number, decoded: string): void => {
      const piece = source.slice(taken, end);
      pieces.push(piece, decoded);
      this.length += piece.length + decoded.length;
    };
    for (;;) {
      const begin = this.nextBegin(stop);
      if (begin >= stop) break;
      const [decoded, end] = this.escapeAt(begin);
      this.position = end;
      if (decoded === undefined) continue;
      take(begin, decoded);
      taken = end;
      this.keep(this.length - decoded.length, this.length, end);
    }
    this.position = Math.max(this.position, stop);
    if (pieces.length === 0 && this.position === stop) {
      this.length += portion.length;
      return portion;
    }
    take(this.position, '');
    return pieces.join('');
  }

  /** Where the next escape may begin: each kind is looked for again only when it has been passed, so that this stays linear. */
  private nextBegin(stop: number): number {
    const { source, position } = this;
    if (this.backslash < position) this.backslash = nextOf('\\', undefined, source, position, stop);
    if (this.percent < position) this.percent = nextOf('%', BEGINS_PERCENT_CODE, source, position, stop);
    if (this.ampersand < position) this.ampersand = nextOf('&', BEGINS_ENTITY, source, position, stop);
    if (this.ignorable < position) this.ignorable = this.nextIgnorable(position, stop);
    if (this.number < position) this.number = this.nextNumber(position, stop);
    return Math.min(this.backslash, this.percent, this.ampersand, this.ignorable, this.number);
  }

  /** The position of the next ignorable characters in the portion that is read, the rest of which is skipped later. */
  private nextIgnorable(position: number, stop: number): number {
    IGNORABLE_RUN.lastIndex = 0;
    const match = IGNORABLE_RUN.exec(this.source.slice(position, stop + CHARACTER_REACH));
    if (match === null) return NOWHERE;
    this.ignorableEnd = position + IGNORABLE_RUN.lastIndex;
    return position + match.index;
  }

  /** The position of the next number that is written in another form, in the portion that is read. */
  private nextNumber(position: number, stop: number): number {
    const before = Math.min(position, NUMBER_LOOKBEHIND);
    const from = position - before;
    WRITTEN_NUMBER.lastIndex = before;
    const match = WRITTEN_NUMBER.exec(this.source.slice(from, stop + NUMBER_REACH));
    if (match === null) return NOWHERE;
    this.numberEnd = from + WRITTEN_NUMBER.lastIndex;
    return from + match.index;
  }

  /** What the escape that may begin here stands for, and where reading continues; undefined if there is none. */
  private escapeAt(begin: number): readonly [decoded: string | undefined, end: number] {
    const { source } = this;
    if (begin === this.backslash) return this.backslashEscapeAt(begin);
    if (begin === this.ignorable) return ['', this.ignorableEnd];
    if (begin === this.number) return [wholeNumber(source.slice(begin, this.numberEnd)), this.numberEnd];
    const decoded = begin === this.percent ? decodedPercentCode(source, begin) : decodedEntity(source, begin);
    return decoded ?? [undefined, begin + 1];
  }

  private backslashEscapeAt(begin: number): readonly [decoded: string | undefined, end: number] {
    const { source } = this;
    const behind = this.backslashesEnd(begin);
    const [decoded, length] = decodedAt(source, behind);
    const end = behind + length;
    if (decoded === undefined || length === 1) return [decoded, end];
    // A character of two code units is two escapes.
    const second = HIGH_SURROGATE.test(decoded) ? this.backslashesEnd(end) : end;
    const [low = '', lowLength] = second === end ? [] : decodedAt(source, second);
    const isPair = LOW_SURROGATE.test(low);
    if (isPair && IGNORABLE.test(decoded + low)) return ['', second + lowLength!];
    return [IGNORABLE.test(decoded) ? '' : decoded, end];
  }

  private backslashesEnd(start: number): number {
    if (this.source.charCodeAt(start) !== BACKSLASH) return start;
    let end = start + 1;
    while (end - start < MAXIMUM_BACKSLASHES && this.source.charCodeAt(end) === BACKSLASH) end += 1;
    return end;
  }

  private keep(decodedStart: number, decodedEnd: number, sourceEnd: number): void {
    if (NUMBERS * this.count === this.escapes.length) {
      const larger = new Int32Array(2 * this.escapes.length);
      larger.set(this.escapes);
      this.escapes = larger;
    }
    this.escapes[NUMBERS * this.count] = decodedStart;
    this.escapes[NUMBERS * this.count + 1] = decodedEnd;
    this.escapes[NUMBERS * this.count + 2] = sourceEnd;
    this.count += 1;
  }

  /** How many characters the source is ahead of the decoded text after so many escapes. */
  private shiftAfter(escapes: number): number {
    return escapes === 0 ? 0 : this.sourceEnd(escapes - 1) - this.decodedEnd(escapes - 1);
  }

  private decodedStart(index: number): number {
    return this.escapes[NUMBERS * index]!;
  }

  private sourceStart(index: number): number {
    return this.decodedStart(index) + this.shiftAfter(index);
  }

  private decodedEnd(index: number): number {
    return this.escapes[NUMBERS * index + 1]!;
  }

  private sourceEnd(index: number): number {
    return this.escapes[NUMBERS * index + 2]!;
  }

  /** How many of the escapes meet a condition that holds for the first ones and for none after them (binary search). */
  private countWhere(isSo: (index: number) => boolean): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (isSo(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** What the characters after backslashes stand for, and how many they are. */
function decodedAt(source: string, position: number): readonly [decoded: string | undefined, length: number] {
  const character = source.charAt(position);
  const decoded = DECODED.get(character);
  if (decoded !== undefined) return [decoded, 1];
  const code = character === 'u' ? CODE.exec(source.slice(position, position + MAXIMUM_CODE_LENGTH))?.[1] : undefined;
  return code === undefined ? [undefined, 0] : [String.fromCharCode(Number.parseInt(code, 16)), MAXIMUM_CODE_LENGTH];
}

/** What an escape stands for, and where it ends; undefined if none begins here. */
type DecodedEscape = readonly [decoded: string, end: number] | undefined;

function decodedPercentCode(source: string, position: number): DecodedEscape {
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

function decodedEntity(source: string, position: number): DecodedEscape {
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
function wholeNumber(written: string): string | undefined {
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

/** The next position of a character that is followed by one of others; {@link NOWHERE} if there is none. */
function nextOf(
  character: string,
  followers: AsciiSet | undefined,
  source: string,
  position: number,
  stop: number,
): number {
  let index = source.indexOf(character, position);
  while (index !== -1 && index < stop && followers?.has(source.charCodeAt(index + 1)) === false)
    index = source.indexOf(character, index + 1);
  return index === -1 ? NOWHERE : index;
}

import type { LongWork } from '../../../limits/long-work.js';
import { AsciiSet } from '../builtins/character-kinds.js';
import type { Span } from './detector.js';
import { matchAt } from './sticky-match.js';

const BACKSLASH = 0x5c;

/** What stands behind a backslash, and what the two say together. */
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

/** A character of ASCII in an address, where percent signs may be encoded themselves, as often as in `%252540`. */
const PERCENT_CODE = /%(?:25){0,3}(?:[2-6][\dA-F]|7[\dA-E]|0[9AD])/iy;

/** A character in HTML: by its number, or by its name, of those that stand in values or around them. */
const ENTITY = /&(?:#(\d{1,5})|#x([\dA-F]{1,4})|([A-Za-z]{3,6}));/iy;
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
]);

/** What follows a percent sign or an ampersand that begins one of these, which leaves out most others. */
const BEGINS_PERCENT_CODE = new AsciiSet((character) => character >= '0' && character <= '7');
const BEGINS_ENTITY = new AsciiSet((character) => /[#a-z]/i.test(character));

/** Spaces are only read between digits: pages are full of them. */
const SPACE = /^[ \u00a0\u2002-\u200a]$/;
const IN_NUMBER = new AsciiSet((character) => /[\d)]/.test(character));

/** Their entities stay: without them, a tag that is only quoted would be one. */
const ANGLE_BRACKETS = /^[<>]$/;

/**
 * Characters that are not seen: soft hyphens, zero-width characters and word joiners. They are left out between two of ASCII that are
 * seen; between letters of other scripts and in pictures they belong to the text.
 */
const ZERO_WIDTHS = '\u200b-\u200d\u2060\ufeff';
const SOFT_HYPHEN = '\u00ad';
const UNSEEN = new RegExp(`[${SOFT_HYPHEN}${ZERO_WIDTHS}]{1,16}(?=[!-~])`, 'g');
const UNSEEN_CHARACTER = new RegExp(`[${SOFT_HYPHEN}${ZERO_WIDTHS}]`);
const ZERO_WIDTH = new RegExp(`[${ZERO_WIDTHS}]`);
const SEEN = new AsciiSet((character) => character > ' ' && character <= '~');

/** As far as the longest of these, and the character behind them. */
const UNSEEN_REACH = 17;

/** Stands for a kind of escape that does not follow any more. */
const NOWHERE = Number.POSITIVE_INFINITY;

/** JSON in JSON doubles the backslashes each time. */
const MAXIMUM_BACKSLASHES = 16;

/** How many characters are read before the time is looked at: less than a millisecond of work. */
const PORTION = 65_536;

/** What is kept of an escape: where what it says begins and ends, and where it ends in the source. */
const NUMBERS = 3;

/** How far from an escape a match begins that is none with the escape, in code units: longer values begin behind an escape. */
const REACH = 1_024;

/** How long a stretch around escapes becomes at most before the next one begins, in code units. */
const MAXIMUM_STRETCH = 65_536;

/** How many escapes there is room for at first. */
const FIRST_ROOM = 64;

/**
 * A text in which characters stand in place of the escapes that JSON, addresses and HTML have for them, also where it is JSON in JSON,
 * and where each of them stood. Characters that are not seen are left out like escapes that say nothing. What is no escape stays.
 */
export class UnescapedText {
  /** Without escapes. */
  text = '';
  private count = 0;
  private escapes = new Int32Array(NUMBERS * FIRST_ROOM);
  private position = 0;
  private length = 0;
  /** Where each kind of escape may begin next. */
  private backslash = -1;
  private percent = -1;
  private ampersand = -1;
  private unseen = -1;
  /** Whether the portion that is read has characters that are not seen. */
  private holdsUnseen = false;

  private constructor(private readonly source: string) {}

  /**
   * Reads a text without its escapes.
   *
   * @param work lets others use the event loop where the text is long
   * @returns undefined for a text that has none
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

  /** Where in the source a part of the text without escapes stands, whole escapes included. */
  placeOf({ start, end }: Span): Span {
    // What says nothing stands between two characters, and belongs to neither.
    const before = this.countWhere((index) => this.decodedEnd(index) <= start);
    const within = this.countWhere((index) => this.decodedStart(index) < end);
    return { start: start + this.shiftAfter(before), end: end + this.shiftAfter(within) };
  }

  /** A part of the source with all of the escapes that it has a part of. */
  withWholeEscapes({ start, end }: Span): Span {
    const first = this.countWhere((index) => this.sourceEnd(index) <= start);
    const last = this.countWhere((index) => this.sourceEnd(index) < end);
    return {
      start: first < this.count ? Math.min(start, this.sourceStart(first)) : start,
      end: last < this.count && this.sourceStart(last) < end ? this.sourceEnd(last) : end,
    };
  }

  /** The stretches of the text in which something may be found that is not found in the source, in their order. */
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

  /** Reads about {@link PORTION} characters. @returns what they say */
  private readPortion(): string {
    const { source } = this;
    const stop = Math.min(this.position + PORTION, source.length);
    const pieces: string[] = [];
    let taken = this.position;
    this.unseen = -1;
    const portion = source.slice(taken, stop);
    // In texts of one byte a character, both take next to no time.
    this.holdsUnseen = portion.includes(SOFT_HYPHEN) || ZERO_WIDTH.test(portion);
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
    if (this.unseen < position) this.unseen = this.nextUnseen(position, stop);
    return Math.min(this.backslash, this.percent, this.ampersand, this.unseen);
  }

  /** Where the next characters stand that are not seen, in the portion that is read. */
  private nextUnseen(position: number, stop: number): number {
    if (!this.holdsUnseen) return NOWHERE;
    const rest = this.source.slice(position, stop + UNSEEN_REACH);
    UNSEEN.lastIndex = 0;
    for (let match = UNSEEN.exec(rest); match !== null; match = UNSEEN.exec(rest)) {
      const begin = position + match.index;
      if (SEEN.has(this.source.charCodeAt(begin - 1))) return begin;
    }
    return NOWHERE;
  }

  /** What the escape says that may begin here, and where reading goes on: undefined if there is none. */
  private escapeAt(begin: number): readonly [decoded: string | undefined, end: number] {
    const { source } = this;
    if (begin === this.backslash) {
      const behind = this.backslashesEnd(begin);
      const [decoded, length] = decodedAt(source, behind);
      return [decoded, behind + length];
    }
    if (begin === this.unseen) {
      let end = begin + 1;
      while (!SEEN.has(source.charCodeAt(end))) end += 1;
      return ['', end];
    }
    const decoded = begin === this.percent ? decodedPercentCode(source, begin) : decodedEntity(source, begin);
    return decoded ?? [undefined, begin + 1];
  }

  private backslashesEnd(start: number): number {
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

  /** How much further on the source is behind so many escapes. */
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

  /** How many escapes from the first on are so, by halving. */
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

/** What the characters behind backslashes say with them, and how many they are. */
function decodedAt(source: string, position: number): readonly [decoded: string | undefined, length: number] {
  const character = source.charAt(position);
  const decoded = DECODED.get(character);
  if (decoded !== undefined) return [decoded, 1];
  const code = character === 'u' ? CODE.exec(source.slice(position, position + MAXIMUM_CODE_LENGTH))?.[1] : undefined;
  return code === undefined ? [undefined, 0] : [String.fromCharCode(Number.parseInt(code, 16)), MAXIMUM_CODE_LENGTH];
}

/** What an escape says, and where it ends: undefined if none begins here. */
type DecodedEscape = readonly [decoded: string, end: number] | undefined;

function decodedPercentCode(source: string, position: number): DecodedEscape {
  const code = matchAt(PERCENT_CODE, source, position);
  if (code === undefined) return undefined;
  return [String.fromCharCode(Number.parseInt(code.slice(-2), 16)), position + code.length];
}

function decodedEntity(source: string, position: number): DecodedEscape {
  ENTITY.lastIndex = position;
  const match = ENTITY.exec(source);
  if (match === null) return undefined;
  const character = entityCharacter(match);
  if (character === undefined || ANGLE_BRACKETS.test(character)) return undefined;
  if (SPACE.test(character) && !IN_NUMBER.has(source.charCodeAt(position - 1))) return undefined;
  return [UNSEEN_CHARACTER.test(character) ? '' : character, position + match[0].length];
}

function entityCharacter([, decimal, hexadecimal, name = '']: RegExpExecArray): string | undefined {
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return hexadecimal === undefined ? NAMED.get(name) : String.fromCharCode(Number.parseInt(hexadecimal, 16));
}

/** Where a character stands next that one of others follows, or where it stands next behind a portion. */
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

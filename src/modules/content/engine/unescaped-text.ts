import type { AsciiSet, Span } from '../../../../packages/content-detectors/index.js';
import type { LongWork } from '../../../concurrency/long-work.js';
import {
  BEGINS_ENTITY,
  BEGINS_PERCENT_CODE,
  decodedBackslashes,
  decodedEntity,
  decodedPercentCode,
  IGNORABLE_RUN,
  MAY_BE_IGNORABLE,
  MAY_BE_WRITTEN_NUMBER,
  wholeNumber,
  WRITTEN_NUMBER,
} from './escape-forms.js';

/** How far beyond a portion the characters before its end reach, in code units. */
const CHARACTER_REACH = 1;

/** What is read before a number that is written in another form, and how long it is at most. */
const NUMBER_LOOKBEHIND = 2;
const NUMBER_REACH = 48;

/** The position of a kind of escape that does not occur any more. */
const NOWHERE = Number.POSITIVE_INFINITY;

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
    if (begin === this.backslash) return decodedBackslashes(source, begin);
    if (begin === this.ignorable) return ['', this.ignorableEnd];
    if (begin === this.number) return [wholeNumber(source.slice(begin, this.numberEnd)), this.numberEnd];
    const decoded = begin === this.percent ? decodedPercentCode(source, begin) : decodedEntity(source, begin);
    return decoded ?? [undefined, begin + 1];
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

import type { LongWork } from '../../../limits/long-work.js';
import type { Span } from './detector.js';

const BACKSLASH = 0x5c;

/** What stands behind a backslash, and what the two say together. */
const SAID: ReadonlyMap<string, string> = new Map([
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

/** JSON in JSON doubles the backslashes each time. */
const MAXIMUM_BACKSLASHES = 16;

/** How many characters are read before the time is looked at: less than a millisecond of work. */
const PORTION = 65_536;

/** What is kept of an escape: where its character stands, and where it ends in the source. */
const NUMBERS = 2;

/** How far from an escape a match begins that is none with the escape, in code units: longer values begin behind an escape. */
const REACH = 1_024;

/** How long a stretch around escapes becomes at most before the next one begins, in code units. */
const MAXIMUM_STRETCH = 65_536;

/** How many escapes there is room for at first. */
const FIRST_ROOM = 64;

/**
 * A text in which characters stand in place of the escapes that JSON has for them, also where it is JSON in JSON, and where each of
 * them stood. What is no escape stays.
 */
export class UnescapedText {
  /** Without escapes. */
  text = '';
  private count = 0;
  private escapes = new Int32Array(NUMBERS * FIRST_ROOM);
  private position = 0;
  private length = 0;

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
      if (work.isOver) await work.rest();
      portions.push(unescaped.readPortion());
    }
    unescaped.text = portions.join('');
    return unescaped.count === 0 ? undefined : unescaped;
  }

  /** Where in the source a part of the text without escapes stands, whole escapes included. */
  placeOf({ start, end }: Span): Span {
    return { start: this.sourceOffset(start), end: this.sourceOffset(end) };
  }

  /** A part of the source with all of the escapes that it has a part of. */
  withWholeEscapes({ start, end }: Span): Span {
    const first = this.countWhere((index) => this.endOf(index) <= start);
    const last = this.countWhere((index) => this.endOf(index) < end);
    return {
      start: first < this.count ? Math.min(start, this.beginOf(first)) : start,
      end: last < this.count && this.beginOf(last) < end ? this.endOf(last) : end,
    };
  }

  /** The stretches of the text in which something may be found that is not found in the source, in their order. */
  *stretches(): Generator<Span, void, undefined> {
    let [start, end] = [0, 0];
    for (let index = 0; index < this.count; index += 1) {
      const character = this.characterOf(index);
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
    const take = (end: number, said: string): void => {
      const piece = source.slice(taken, end);
      pieces.push(piece, said);
      this.length += piece.length + said.length;
    };
    while (this.position < stop) {
      const backslash = source.indexOf('\\', this.position);
      if (backslash === -1 || backslash >= stop) {
        this.position = stop;
        break;
      }
      const behind = this.backslashesEnd(backslash);
      const [said, length] = saidAt(source, behind);
      this.position = behind + length;
      if (said === undefined) continue;
      take(backslash, said);
      taken = this.position;
      this.keep(this.length - 1, taken);
    }
    take(this.position, '');
    return pieces.join('');
  }

  private backslashesEnd(start: number): number {
    let end = start + 1;
    while (end - start < MAXIMUM_BACKSLASHES && this.source.charCodeAt(end) === BACKSLASH) end += 1;
    return end;
  }

  private keep(character: number, sourceEnd: number): void {
    if (NUMBERS * this.count === this.escapes.length) {
      const larger = new Int32Array(2 * this.escapes.length);
      larger.set(this.escapes);
      this.escapes = larger;
    }
    this.escapes[NUMBERS * this.count] = character;
    this.escapes[NUMBERS * this.count + 1] = sourceEnd;
    this.count += 1;
  }

  private sourceOffset(offset: number): number {
    return offset + this.shiftBehind(this.countWhere((index) => this.characterOf(index) < offset));
  }

  /** How much further on the source is behind so many escapes. */
  private shiftBehind(escapes: number): number {
    return escapes === 0 ? 0 : this.endOf(escapes - 1) - this.characterOf(escapes - 1) - 1;
  }

  private characterOf(index: number): number {
    return this.escapes[NUMBERS * index]!;
  }

  private beginOf(index: number): number {
    return this.characterOf(index) + this.shiftBehind(index);
  }

  private endOf(index: number): number {
    return this.escapes[NUMBERS * index + 1]!;
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
function saidAt(source: string, position: number): readonly [said: string | undefined, length: number] {
  const character = source.charAt(position);
  const said = SAID.get(character);
  if (said !== undefined) return [said, 1];
  const code = character === 'u' ? CODE.exec(source.slice(position, position + MAXIMUM_CODE_LENGTH))?.[1] : undefined;
  return code === undefined ? [undefined, 0] : [String.fromCharCode(Number.parseInt(code, 16)), MAXIMUM_CODE_LENGTH];
}

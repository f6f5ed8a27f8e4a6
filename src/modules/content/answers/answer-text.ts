import type { Refusal } from '../content-result.js';

/** Ends an answer in which a filter has found what is to be blocked. What it found has not left. */
export class AnswerRefused extends Error {
  constructor(readonly refusal: Refusal) {
    super('A content filter blocks the answer.');
  }
}

/** The most that is held of a text that goes on, in code units: beyond it, the rest is held to its end. */
export const MAXIMUM_HELD = 4_096;

/** What filters made of a stretch of a text. */
interface WrittenStretch {
  /** Where the stretch ends, in code units of what has come. */
  readonly end: number;
  readonly text: string;
}

/** The sizes of the texts of an answer together: what has come, and what of it may not leave yet, in code units. */
export interface AnswerSizes {
  came: number;
  held: number;
}

/**
 * One text of an answer while it comes: what filters make of it leaves it as soon as no longer text could change that
 * (docs/interface/content-filters.md#answers).
 */
export abstract class AnswerText {
  /** How much has come, in code units. */
  length = 0;
  /** Whether anything in it was replaced. */
  isChanged = false;
  /** Whether no more is expected, so that all of it may leave. */
  hasEnded = false;
  /** Receives all that comes, for filters that only report; undefined where there are none. */
  kept: string[] | undefined;
  /** The sizes of the answer that it is a text of, which it adds to. */
  sizes: AnswerSizes = { came: 0, held: 0 };
  /** Up to where what may leave is written. */
  protected written = 0;
  private taken = 0;
  private readonly stretches: WrittenStretch[] = [];
  /** Where something else stands between two pieces. */
  private readonly marks: number[] = [];

  /** How much has come and may not leave, in code units. */
  get heldLength(): number {
    return this.length - this.written;
  }

  /** Whether all has been taken up to an offset. */
  isTakenTo(offset: number): boolean {
    return this.taken >= offset;
  }

  /** Takes the next piece. */
  append(piece: string): void {
    this.length += piece.length;
    this.kept?.push(piece);
    this.sizes.came += piece.length;
    this.sizes.held += piece.length;
    this.take(piece);
  }

  /** Says that something else follows what has come, up to which it can be taken by itself. @returns how much has come */
  mark(): number {
    if (this.marks.at(-1) !== this.length) this.marks.push(this.length);
    return this.length;
  }

  /** What may leave up to an offset, and has not. */
  takeTo(offset: number): string {
    const beyond = this.stretches.findIndex(({ end }) => end > offset);
    const taken = this.stretches.splice(0, beyond === -1 ? this.stretches.length : beyond);
    this.taken = taken.at(-1)?.end ?? this.taken;
    return taken.map(({ text }) => text).join('');
  }

  /**
   * Applies the filters to what has come.
   *
   * @param isEnd whether nothing more comes
   * @throws AnswerRefused, ContentFilterUnavailable, TooManyContentScans
   */
  abstract advance(isEnd: boolean): Promise<void>;

  /** Lets all that has come leave, as if nothing more came; what goes on behind it is found then all the same. @throws as {@link advance} does */
  abstract flush(): Promise<void>;

  protected abstract take(piece: string): void;

  /** Lets a stretch leave, apart where something else stands within it. @param writtenTo gives what filters made of the text up to an offset, from where it was asked before */
  protected leave(end: number, writtenTo: (offset: number) => string): void {
    const beyond = this.marks.findIndex((mark) => mark >= end);
    const passed = this.marks.splice(0, beyond === -1 ? this.marks.length : beyond);
    for (const mark of passed) if (mark > this.written) this.push(mark, writtenTo(mark));
    if (end > this.written) this.push(end, writtenTo(end));
  }

  /** Lets a text leave. @param end where in what has come it ends: not before the one before it */
  protected push(end: number, text: string): void {
    this.sizes.held -= end - this.written;
    this.written = end;
    this.stretches.push({ end, text });
  }
}

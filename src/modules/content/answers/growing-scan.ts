import { type Reach, READ_BEFORE_MATCH, type WordRoom } from '../../../../packages/content-detectors/index.js';
import type { LongWork } from '../../../concurrency/long-work.js';
import type { ContentEngine, DetectorRule } from '../engine/compiled-filters.js';
import type { CustomPattern } from '../custom/custom-pattern.js';
import { type DetectorScan, partRoom, scanStretch } from '../engine/detector-scan.js';
import { MAXIMUM_REDACTIONS, type RuleMatches } from '../engine/rule-matches.js';
import { readingsOf, type TextReading } from '../engine/text-readings.js';

/** The longest escape whose end may not have come, in code units: a character in JSON in JSON, or a number in another form. */
const LONGEST_ESCAPE = 64;

/** A text is shortened when so much of it is kept, in code units: each scan copies what is kept. */
const MAXIMUM_KEPT = 16_384;

/** How many code units come before a text is searched for custom patterns again, which a thread does. */
const SEARCH_STEP = 32;

/** A builtin filter, and how far its detector looks. */
export interface BoundedDetector extends DetectorRule {
  readonly reach: Reach;
}

/** A custom filter whose matches are bounded. */
export interface BoundedPattern extends CustomPattern {
  /** Of the longest match, in code units. */
  readonly length: number;
}

/** The filters of a policy that are applied to a text while it grows. */
export interface BoundedRules {
  readonly organizationId: string;
  readonly detectors: readonly BoundedDetector[];
  readonly patterns: readonly BoundedPattern[];
}

/** Who scans, and where matches go. */
export interface GrowingScanMeans {
  readonly engine: ContentEngine;
  /** Of each detector, then of each pattern. */
  readonly matches: readonly RuleMatches[];
  /** Tells the texts of an answer apart in the matches. */
  readonly textIndex: number;
  readonly turn: LongWork;
  readonly signal: AbortSignal | undefined;
}

/** How far one reading of a text was scanned. */
interface ReadingProgress {
  scannedTo: number;
  readonly positions: number[];
  /** Of each pattern: where the next match may begin, and up to where matches that begin are known. */
  readonly searchStarts: number[];
  readonly searchedTo: number[];
}

/**
 * Scans a text while it grows for what is bounded: nothing is found that a longer text would not have, and nothing is missed
 * (docs/interface/content-filters.md#answers). Only the end of the text is kept.
 */
export class GrowingScan {
  /** The end of the text that is kept, and how much of it is not. */
  private kept = '';
  private base = 0;
  /** Of the text as it is, and of the text without escapes once it has some. */
  private readonly progress: ReadingProgress[] = [];
  private readonly room: WordRoom = partRoom();
  private readonly ahead: number;
  private readonly back: number;

  constructor(
    private readonly rules: BoundedRules,
    private readonly means: GrowingScanMeans,
  ) {
    const reaches = rules.detectors.map(({ reach }) => reach);
    this.ahead = LONGEST_ESCAPE + Math.max(0, ...reaches.map(({ ahead }) => ahead));
    this.back = Math.max(0, ...reaches.map(({ back }) => back));
  }

  /** How much of the text there is. */
  get length(): number {
    return this.base + this.kept.length;
  }

  append(text: string): void {
    this.kept += text;
  }

  /** What stands before an offset, as far as detectors read. */
  before(offset: number): string {
    const end = offset - this.base;
    return this.kept.slice(Math.max(0, end - READ_BEFORE_MATCH), end);
  }

  /**
   * Scans what has come.
   *
   * @param isEnd whether nothing more comes
   * @returns the offset up to which all matches are known that begin there
   */
  async scan(isEnd: boolean): Promise<number> {
    const { turn } = this.means;
    const readings = await readingsOf(this.kept, turn);
    this.progress.length = Math.min(this.progress.length, readings.length);
    let decided = this.kept.length;
    for (const [index, reading] of readings.entries()) {
      const progress = (this.progress[index] ??= this.beginning(reading, index));
      const end = await this.scanReading(reading, progress, isEnd);
      decided = Math.min(decided, isEnd ? decided : reading.placeOf({ start: end, end }).start);
    }
    const offset = this.base + Math.max(0, decided);
    if (this.kept.length > MAXIMUM_KEPT) this.shorten(readings);
    return offset;
  }

  /** The text without escapes is scanned from where the first of them can matter. */
  private beginning(reading: TextReading, index: number): ReadingProgress {
    const [stretch] = index === 0 ? [] : reading.stretches();
    const start = stretch?.start ?? 0;
    const { detectors, patterns } = this.rules;
    return {
      scannedTo: start,
      positions: detectors.map(() => start),
      searchStarts: patterns.map(() => start),
      searchedTo: patterns.map(() => start),
    };
  }

  /** @returns up to where all matches are known in the reading */
  private async scanReading(reading: TextReading, progress: ReadingProgress, isEnd: boolean): Promise<number> {
    const { text } = reading;
    await this.detect(reading, progress, isEnd ? text.length : this.detectableEnd(text, progress.scannedTo));
    await this.search(reading, progress, isEnd);
    return this.known(progress);
  }

  private known({ scannedTo, searchedTo }: ReadingProgress): number {
    const ends = this.rules.detectors.length === 0 ? searchedTo : [scannedTo - this.back, ...searchedTo];
    return Math.max(0, Math.min(...ends));
  }

  private detectableEnd(text: string, scannedTo: number): number {
    let end = text.length - this.ahead;
    for (const { reach } of this.rules.detectors) {
      const open = reach.openStart?.(text, scannedTo);
      if (open !== undefined) end = Math.min(end, open);
    }
    return Math.max(scannedTo, end);
  }

  private async detect(reading: TextReading, progress: ReadingProgress, end: number): Promise<void> {
    const { detectors } = this.rules;
    if (detectors.length === 0 || end <= progress.scannedTo) return;
    const scans = detectors.map(({ detector }, index): DetectorScan => ({
      detector,
      found: (start, foundEnd, pattern) => this.take(index, reading, start, foundEnd, pattern),
    }));
    const { positions } = progress;
    const { turn } = this.means;
    await scanStretch(scans, reading.text, { start: progress.scannedTo, end }, { positions, room: this.room, turn });
    progress.scannedTo = end;
  }

  /** Searches for the custom patterns. Matches that begin too close to the end may be longer in the whole text. */
  private async search(reading: TextReading, progress: ReadingProgress, isEnd: boolean): Promise<void> {
    const { detectors, patterns, organizationId } = this.rules;
    const { engine, matches, signal } = this.means;
    const { text } = reading;
    const endOf = (length: number): number => (isEnd ? text.length + 1 : text.length - length - LONGEST_ESCAPE);
    const due = patterns.flatMap(({ length }, index) => {
      const isDue = isEnd || endOf(length) - progress.searchedTo[index]! >= SEARCH_STEP;
      return isDue ? [index] : [];
    });
    if (due.length === 0) return;
    const failed = await engine.customSearch.search(
      {
        patterns: due.map((index) => patterns[index]!.pattern),
        texts: [text],
        starts: [due.map((index) => progress.searchStarts[index]!)],
        maximum: MAXIMUM_REDACTIONS + 1,
      },
      { organizationId, signal },
      ({ pattern, offsets }) => {
        const index = due[pattern]!;
        const end = endOf(patterns[index]!.length);
        for (let next = 0; next < offsets.length && offsets[next]! < end; next += 2) {
          this.take(detectors.length + index, reading, offsets[next]!, offsets[next + 1]!);
          progress.searchStarts[index] = offsets[next + 1]!;
        }
      },
    );
    // What may be in the text must not leave.
    if (failed !== undefined) matches[detectors.length + due[failed.pattern]!]!.refuse();
    for (const index of due) {
      const end = Math.max(0, Math.min(endOf(patterns[index]!.length), text.length));
      progress.searchedTo[index] = Math.max(progress.searchedTo[index]!, end);
      progress.searchStarts[index] = Math.max(progress.searchStarts[index]!, progress.searchedTo[index]);
    }
  }

  private take(rule: number, reading: TextReading, start: number, end: number, pattern?: string): void {
    const { matches, textIndex } = this.means;
    const { base } = this;
    const inText = {
      ...reading,
      // What was found is found again where the text without escapes begins to differ.
      isOnly: false,
      placeOf: (span: { readonly start: number; readonly end: number }) => {
        const place = reading.placeOf(span);
        return { start: base + place.start, end: base + place.end };
      },
    };
    matches[rule]!.addRead(textIndex, inText, { start, end }, pattern);
  }

  /** Forgets the beginning of what is kept, up to what is read before a match. */
  private shorten(readings: readonly TextReading[]): void {
    const last = readings.length - 1;
    const cutInReading = this.known(this.progress[last]!) - 2 * READ_BEFORE_MATCH;
    if (cutInReading <= 0) return;
    const cut = readings[last]!.placeOf({ start: cutInReading, end: cutInReading }).start;
    if (cut > this.known(this.progress[0]!)) return;
    const cuts = [cut, cutInReading];
    this.kept = this.kept.slice(cut);
    this.base += cut;
    for (const [index, progress] of this.progress.entries()) {
      const by = cuts[index]!;
      progress.scannedTo -= by;
      for (const list of [progress.positions, progress.searchStarts, progress.searchedTo])
        for (const [position, value] of list.entries()) list[position] = value - by;
    }
  }
}

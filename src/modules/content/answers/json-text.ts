import { READ_BEFORE_MATCH } from '../../../../packages/content-detectors/index.js';
import { type RedactedSpan, replaceSpans } from '../engine/redaction.js';
import { replacedValue } from '../engine/tool-arguments.js';
import { saidBy } from '../engine/value-places.js';
import { AnswerText, MAXIMUM_HELD } from './answer-text.js';
import type { GrowingScan } from './growing-scan.js';
import { type JsonValuePlace, JsonValues } from './json-values.js';
import { KnownSpans } from './known-spans.js';
import type { TextRules } from './text-rules.js';

/** A value that has come, and where it stands in the text of all values. */
interface ScannedValue extends JsonValuePlace {
  readonly scannedStart: number;
  readonly scannedEnd: number;
}

/**
 * The arguments of a call, or an answer in JSON, while it comes: its names, strings and numbers are scanned as one text, each on a line of its
 * own, and leave whole. What turns out to be no JSON is held to its end, and read as a text.
 */
export class JsonText extends AnswerText {
  /** What has come and is not written, from `start` on. */
  private held = '';
  private start = 0;
  /** The end of what has been written, which is read with what turns out to be no JSON. */
  private before = '';
  private readonly json = new JsonValues();
  private values: ScannedValue[] = [];
  /** Whether so much waits that the rest is held to its end. */
  private isHeld = false;
  private readonly spans = new KnownSpans();

  /** @param scan of the text of all values */
  constructor(
    private readonly rules: TextRules,
    private readonly scan: GrowingScan,
  ) {
    super();
  }

  async advance(isEnd: boolean): Promise<void> {
    if (isEnd) this.addValues(this.json.end());
    if (!this.json.isValid) {
      if (isEnd) await this.writeAsText();
      this.hasEnded = isEnd;
      return;
    }
    const hasEnded = isEnd || this.json.isWhole;
    if (this.isHeld && !hasEnded) return;
    const decided = await this.scan.scan(hasEnded);
    this.rules.requireNoRefusal();
    this.spans.add(this.rules.takeRedactions());
    const settled = hasEnded ? this.scan.length : this.spans.settledEnd(decided);
    this.leave(hasEnded ? this.length : this.sourceEnd(settled), this.writtenTo);
    this.hasEnded = hasEnded;
    this.isHeld = !hasEnded && this.heldLength > MAXIMUM_HELD;
  }

  /** What has begun is held on: no part of JSON can leave by itself. */
  flush(): Promise<void> {
    return this.advance(false);
  }

  protected take(piece: string): void {
    this.held += piece;
    if (this.json.isValid) this.addValues(this.json.read(piece));
  }

  private addValues(places: readonly JsonValuePlace[]): void {
    for (const { start, end } of places) {
      const text = saidBy(this.held.slice(start - this.start, end - this.start));
      const isFirst = this.scan.length === 0 && this.values.length === 0;
      if (!isFirst) this.scan.append('\n');
      const scannedStart = this.scan.length;
      this.scan.append(text);
      this.values.push({ start, end, scannedStart, scannedEnd: this.scan.length });
    }
  }

  /** Up to where the source may leave when its values may up to an offset in their text. */
  private sourceEnd(settled: number): number {
    const next = this.values.find(({ scannedEnd }) => scannedEnd > settled);
    return next === undefined ? this.json.openStart : next.start;
  }

  private readonly writtenTo = (offset: number): string => {
    const next = this.values.findIndex(({ end }) => end > offset);
    const leaving = next === -1 ? this.values : this.values.slice(0, next);
    this.values = next === -1 ? [] : this.values.slice(next);
    const end = Math.min(offset, this.values[0]?.start ?? offset);
    const replacements = leaving.flatMap((value) => this.replacementOf(value));
    this.isChanged ||= replacements.length > 0;
    const text = replaceSpans(this.held.slice(0, end - this.start), replacements);
    this.before = (this.before + this.held.slice(0, end - this.start)).slice(-READ_BEFORE_MATCH);
    this.held = this.held.slice(end - this.start);
    this.start = end;
    const last = leaving.at(-1);
    if (last !== undefined) this.spans.forget(last.scannedEnd);
    return text;
  };

  private replacementOf({ start, end, scannedStart, scannedEnd }: ScannedValue): RedactedSpan[] {
    const inside = this.spans.within(scannedStart, scannedEnd);
    if (inside.length === 0) return [];
    const place = { start: start - this.start, end: end - this.start };
    return [{ ...place, placeholder: replacedValue(this.held.slice(place.start, place.end), inside) }];
  }

  private async writeAsText(): Promise<void> {
    const { held, length } = this;
    if (held === '') return;
    const text = await this.rules.inspected(held, this.before);
    this.isChanged ||= text !== held;
    [this.held, this.start] = ['', length];
    this.leave(length, () => text);
  }
}

import { replaceSpans } from '../engine/redaction.js';
import { AnswerText, MAXIMUM_HELD } from './answer-text.js';
import type { GrowingScan } from './growing-scan.js';
import { KnownSpans } from './known-spans.js';
import type { TextRules } from './text-rules.js';

/** A text of an answer under filters whose matches are bounded: what is older than the longest match leaves. */
export class PlainText extends AnswerText {
  /** What has come and is not written, from `start` on. */
  private held = '';
  private start = 0;
  /** What has come since the rest of the text is held to its end. */
  private rest: string[] | undefined;
  private readonly spans = new KnownSpans();

  constructor(
    private readonly rules: TextRules,
    private readonly scan: GrowingScan,
  ) {
    super();
  }

  async advance(isEnd: boolean): Promise<void> {
    if (this.rest !== undefined && !isEnd) return;
    this.takeRest();
    const decided = await this.scan.scan(isEnd);
    this.rules.requireNoRefusal();
    this.spans.add(this.rules.takeRedactions());
    this.leave(isEnd ? this.length : this.betweenCharacters(this.spans.settledEnd(decided)), this.writtenTo);
    this.hasEnded = isEnd;
    if (!isEnd && this.heldLength > MAXIMUM_HELD) this.rest = [];
  }

  async flush(): Promise<void> {
    this.takeRest();
    await this.advance(false);
    this.rest = undefined;
    const { held, length } = this;
    if (held === '') return;
    const text = await this.rules.tried(held, this.scan.before(this.start));
    this.isChanged ||= text !== held;
    [this.held, this.start] = ['', length];
    this.leave(length, () => text);
  }

  protected take(piece: string): void {
    if (this.rest !== undefined) {
      this.rest.push(piece);
      return;
    }
    this.held += piece;
    this.scan.append(piece);
  }

  private readonly writtenTo = (offset: number): string => {
    const { start } = this;
    // A redaction that reaches across the offset stands behind it.
    const end = Math.max(start, this.spans.settledEnd(offset));
    const spans = this.spans.take(start, end);
    this.isChanged ||= spans.length > 0;
    const inHeld = spans.map((span) => ({ ...span, start: span.start - start, end: span.end - start }));
    const text = replaceSpans(this.held.slice(0, end - start), inHeld);
    this.held = this.held.slice(end - start);
    this.start = end;
    return text;
  };

  private takeRest(): void {
    const text = this.rest?.join('');
    this.rest = undefined;
    if (text !== undefined) this.take(text);
  }

  /** An offset that does not part the halves of a character. */
  private betweenCharacters(offset: number): number {
    return /[\ud800-\udbff]/.test(this.held.charAt(offset - this.start - 1)) ? offset - 1 : offset;
  }
}

import { joinOverlapping, type RedactedSpan } from '../engine/redaction.js';

/** The redactions of a text that grows, as far as it has not left. */
export class KnownSpans {
  private spans: readonly RedactedSpan[] = [];

  add(spans: readonly RedactedSpan[]): void {
    if (spans.length > 0) this.spans = [...this.spans, ...spans];
  }

  /**
   * Up to where the redactions are known: a redaction that reaches beyond what is decided may become longer.
   *
   * @param decided up to where all redactions are known that begin there
   */
  settledEnd(decided: number): number {
    const open = this.joined().find(({ end }) => end > decided);
    return open === undefined ? decided : Math.min(open.start, decided);
  }

  /** Gives the redactions up to an offset that no redaction reaches across, and forgets them. @param start nothing before it is replaced again */
  take(start: number, end: number): RedactedSpan[] {
    const joined = this.joined();
    this.forget(end);
    return joined
      .filter((span) => span.end > start && span.end <= end)
      .map((span) => ({ ...span, start: Math.max(span.start, start) }));
  }

  /** The parts of redactions within a stretch, counted from its start. */
  within(start: number, end: number): RedactedSpan[] {
    return this.joined()
      .filter((span) => span.start < end && span.end > start)
      .map((span) => ({ ...span, start: Math.max(span.start - start, 0), end: Math.min(span.end, end) - start }));
  }

  /** Forgets the redactions that end before an offset. */
  forget(offset: number): void {
    this.spans = this.spans.filter((span) => span.end > offset);
  }

  private joined(): RedactedSpan[] {
    return joinOverlapping(this.spans);
  }
}

import type { RedactedSpan } from '../engine/redaction.js';
import type { RuleMatches } from '../engine/rule-matches.js';
import { AnswerRefused } from './answer-text.js';

/** Applies the filters of a place to a text in one piece. @param lead what stands in front of it, which is read but stays as it is @throws AnswerRefused */
type InspectText = (text: string, lead: string) => Promise<string>;

/** What the filters of one place do to one text of an answer. */
export class TextRules {
  /**
   * @param textIndex tells the text apart in the matches
   * @param matches of the filters that are applied while it grows
   * @param inspected counts what it finds
   * @param tried does not: what it finds is found again
   */
  constructor(
    private readonly textIndex: number,
    private readonly matches: readonly RuleMatches[],
    readonly inspected: InspectText,
    readonly tried: InspectText,
  ) {}

  /** @throws AnswerRefused where a filter has found what it blocks, or cannot be applied within its bounds */
  requireNoRefusal(): void {
    for (const { refusal } of this.matches) if (refusal !== null) throw new AnswerRefused(refusal);
  }

  /** The redactions that were found since they were asked for last. */
  takeRedactions(): readonly RedactedSpan[] {
    return this.matches.flatMap((matches) => matches.takeRedactions(this.textIndex));
  }
}

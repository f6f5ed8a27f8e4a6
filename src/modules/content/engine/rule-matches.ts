import type { Finding, Refusal } from '../content-result.js';
import type { Span } from '../../../../packages/content-detectors/index.js';
import type { FilterRule } from './filter-rule.js';
import type { RedactedSpan } from './redaction.js';
import type { TextReading } from './text-readings.js';

/**
 * The maximum number of redactions in a request. A request with more is refused, because its redactions would take more memory than
 * the request itself (docs/interface/content-filters.md#bounds).
 */
export const MAXIMUM_REDACTIONS = 100_000;

/** The maximum number of edges that are kept: two for each redaction. Beyond them, a match that both readings of a text have is counted twice. */
const MAXIMUM_EDGES = 2 * MAXIMUM_REDACTIONS;

/** How many more matches may be taken out of a request, by all its rules together. */
export interface RedactionAllowance {
  left: number;
}

/** A match of a rule in what is scanned of a text. */
export interface RuleMatch {
  readonly textIndex: number;
  readonly start: number;
  readonly end: number;
  readonly pattern: string | undefined;
}

/** Called with each match of a rule when it is found. */
export type OnRuleMatch = (rule: FilterRule, match: RuleMatch) => void;

/** What one rule has matched in a request. */
export class RuleMatches {
  private count = 0;
  private isUnavailable = false;
  private exceedsBounds = false;
  private readonly patterns = new Set<string>();
  /** The beginnings and ends of matches in texts that are read twice. */
  private readonly edges = new Set<string>();
  private readonly spans = new Map<number, RedactedSpan[]>();

  /**
   * @param leadLengthOf how much of what is scanned of a text stands in front of it: matches within that are none of this text
   * @param matched receives each match, for those who want to know where they are
   */
  constructor(
    readonly rule: FilterRule,
    private readonly allowance: RedactionAllowance,
    private readonly leadLengthOf: (textIndex: number) => number = () => 0,
    private readonly matched?: OnRuleMatch,
  ) {}

  /**
   * Records a match in one reading of a text. A match that begins or ends where one of the other reading does counts as the same match: it
   * is redacted in full, but not counted again.
   *
   * @param textIndex the position of the text in the request
   * @param span where the match stands in the reading
   */
  addRead(textIndex: number, reading: TextReading, span: Span, pattern?: string): void {
    const { start, end } = reading.placeOf(span);
    if (end <= this.leadLengthOf(textIndex)) return;
    const known = reading.isOnly ? 0 : this.keepEdges(textIndex, start, end, pattern);
    if (known === 0) this.add(textIndex, start, end, pattern);
    // It is taken out with the other one, so it is not counted as a redaction either.
    else if (this.rule.action === 'redact') this.keepRedaction(textIndex, start, end);
  }

  /** Keeps where a match begins and ends, up to a bound of memory. @returns at how many of the two another one does */
  private keepEdges(textIndex: number, start: number, end: number, pattern = ''): number {
    const edges = [`${textIndex} from ${start} ${pattern}`, `${textIndex} to ${end} ${pattern}`];
    const known = edges.filter((edge) => this.edges.has(edge)).length;
    if (this.edges.size < MAXIMUM_EDGES) for (const edge of edges) this.edges.add(edge);
    return known;
  }

  /** Records a match. @param textIndex the position of its text in the request */
  add(textIndex: number, start: number, end: number, pattern?: string): void {
    if (end <= this.leadLengthOf(textIndex)) return;
    this.count += 1;
    this.matched?.(this.rule, { textIndex, start, end, pattern });
    if (pattern !== undefined) this.patterns.add(pattern);
    if (this.rule.action !== 'redact') return;
    if (this.allowance.left === 0) {
      this.refuse();
      return;
    }
    this.allowance.left -= 1;
    this.keepRedaction(textIndex, start, end);
  }

  private keepRedaction(textIndex: number, start: number, end: number): void {
    const { placeholder } = this.rule;
    const spans = this.spans.get(textIndex);
    if (spans === undefined) this.spans.set(textIndex, [{ start, end, placeholder }]);
    else spans.push({ start, end, placeholder });
  }

  /** Records that the rule cannot be applied within its bounds: the request is refused, whatever the action. */
  refuse(): void {
    this.exceedsBounds = true;
  }

  /** Records that what the rule needs has failed, and that requests pass all the same. */
  pass(): void {
    this.isUnavailable = true;
  }

  /** What is to be taken out of a text. */
  redactionsOf(textIndex: number): readonly RedactedSpan[] {
    return this.spans.get(textIndex) ?? [];
  }

  /** What is to be taken out of a text since it was asked for last: of a text that grows. */
  takeRedactions(textIndex: number): readonly RedactedSpan[] {
    const taken = this.redactionsOf(textIndex);
    this.spans.delete(textIndex);
    return taken;
  }

  /** Why the request is refused; null if this rule does not refuse it. */
  get refusal(): Refusal | null {
    const { name, label, action, guardrailIds } = this.rule;
    const isBlocked = action === 'block' && this.count > 0;
    if (!isBlocked && !this.exceedsBounds) return null;
    const isInjection = isBlocked && 'slug' in name && name.slug === 'regex-prompt-injection';
    const reason = isInjection ? 'prompt_injection_detected' : 'content_blocked';
    return { reason, filter: name, label, guardrailIds, ...this.namedPatterns };
  }

  /** What is to be recorded; nothing if the rule has found nothing. */
  get findings(): Finding[] {
    const { name, action, guardrailIds } = this.rule;
    if (this.count === 0 && !this.isUnavailable) return [];
    return [
      {
        filter: name,
        action,
        guardrailIds,
        count: this.count,
        ...this.namedPatterns,
        ...(this.isUnavailable && { unavailable: true }),
      },
    ];
  }

  private get namedPatterns(): { patterns?: readonly string[] } {
    return this.patterns.size === 0 ? {} : { patterns: [...this.patterns].sort() };
  }
}

import type { MatchOffsets, PatternSearch, SearchedPart } from '../../../../packages/patterns/index.js';

/** How long the custom patterns of a policy may take in one text, in milliseconds. */
export const TIME_LIMIT_MS = 5_000;

/** A pattern of one of several searches, by their positions. */
export interface SearchedPattern {
  readonly search: number;
  readonly pattern: number;
}

/** Called with the matches of a pattern in a text. */
export type OnPatternMatches = (pattern: SearchedPattern, matches: MatchOffsets) => void;

/** How far the searches of a request have come. */
export class SearchProgress {
  private search = 0;
  private pattern = 0;
  /** The time that the present search has taken, in milliseconds. */
  private usedMs = 0;
  private isGivenUp = false;

  /** @param searches with at least one pattern each @param found takes matches as they are found */
  constructor(
    private readonly searches: readonly PatternSearch[],
    private readonly found: OnPatternMatches,
  ) {}

  /** What is left of the present search; undefined if nothing more is to be done. */
  get rest(): PatternSearch | undefined {
    const search = this.searches[this.search];
    if (search === undefined || this.isGivenUp) return undefined;
    return { ...search, patterns: search.patterns.slice(this.pattern) };
  }

  /** How long the present search may go on, in milliseconds. */
  get leftMs(): number {
    return TIME_LIMIT_MS - this.usedMs;
  }

  /** The pattern that took too much time or memory; undefined if there is none. */
  get refused(): SearchedPattern | undefined {
    return this.isGivenUp ? { search: this.search, pattern: this.pattern } : undefined;
  }

  /**
   * Takes what was searched.
   *
   * @param isLastAttempt whether a part that has failed is not searched once more
   */
  add({ matches, milliseconds, hasFailed }: SearchedPart, isLastAttempt: boolean): void {
    for (const offsets of matches) {
      this.found({ search: this.search, pattern: this.pattern }, offsets);
      this.pattern += 1;
    }
    if (this.pattern === this.searches[this.search]!.patterns.length) {
      this.search += 1;
      [this.pattern, this.usedMs] = [0, 0];
      return;
    }
    // An attempt that is made once more does not count.
    if (!hasFailed) this.usedMs += milliseconds;
    this.isGivenUp = hasFailed ? isLastAttempt : this.leftMs <= 0;
  }
}

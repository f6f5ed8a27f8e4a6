import type { PatternSearch } from '../../../../packages/patterns/index.js';
import { LongWork } from '../../../concurrency/long-work.js';
import type { CompiledFilters, ContentEngine } from '../engine/compiled-filters.js';
import { MAXIMUM_REDACTIONS, type RuleMatches } from '../engine/rule-matches.js';
import type { TextReading } from '../engine/text-readings.js';
import type { SearchedPattern } from './search-progress.js';

/** How many patterns of texts are searched for at once, about: those of most requests. */
const MAXIMUM_BATCH_SIZE = 10_000;

/** What has to be searched for in one reading of a text. */
interface TextSearch extends PatternSearch {
  /** The position of the text in the request. */
  readonly index: number;
  readonly reading: TextReading;
  /** Those of the patterns in the policy. */
  readonly positions: readonly number[];
}

/** The request with the texts to search. */
interface ScannedRequest {
  readonly textCount: number;
  /** What is scanned of the text at a position. @param turn lets others use the event loop meanwhile */
  readonly readingsOf: (index: number, turn: LongWork) => Promise<readonly TextReading[]>;
  /** Ends the search when the client is gone. */
  readonly signal: AbortSignal | undefined;
}

/** The search of a request's texts for the custom patterns of its policy. */
export class CustomScan {
  private readonly turn: LongWork;
  /** The first text that is in no batch yet. */
  private next = 0;
  private batch: TextSearch[] = [];

  /** @param matches take what is found, in the order of the patterns */
  constructor(
    private readonly filters: CompiledFilters,
    private readonly engine: ContentEngine,
    private readonly matches: readonly RuleMatches[],
    private readonly request: ScannedRequest,
  ) {
    this.turn = new LongWork(engine.turns, filters.organizationId, request.signal);
  }

  /** Prepares the first searches on the event loop, so that {@link run} can hand them to a thread at once. */
  async prepare(): Promise<void> {
    this.batch = [];
    if (this.filters.customPatterns.length === 0) return;
    let size = 0;
    for (; this.next < this.request.textCount && size < MAXIMUM_BATCH_SIZE; this.next += 1) {
      if (this.turn.mustRest) await this.turn.rest();
      for (const reading of await this.request.readingsOf(this.next, this.turn)) {
        const search = await this.searchOf(reading, this.next);
        if (search.patterns.length === 0) continue;
        this.batch.push(search);
        size += search.patterns.length;
      }
    }
  }

  /** Searches all texts, up to the first in which the patterns take too long: with that the request is refused. */
  async run(): Promise<void> {
    while (this.batch.length > 0) {
      if (!(await this.searchAll(this.batch))) return;
      await this.prepare();
    }
  }

  /** The patterns that are not known to be absent from a text. */
  private async searchOf(reading: TextReading, index: number): Promise<TextSearch> {
    const { customPatterns, organizationId } = this.filters;
    const { text } = reading;
    const positions: number[] = [];
    for (const [position, { pattern }] of customPatterns.entries()) {
      if (this.turn.mustRest) await this.turn.rest();
      if (!this.engine.quickTests.isAbsent(organizationId, pattern, text)) positions.push(position);
    }
    const patterns = positions.map((position) => customPatterns[position]!.pattern);
    // One match more than may be taken out shows that there are too many.
    return { index, reading, positions, patterns, text, maximum: MAXIMUM_REDACTIONS + 1 };
  }

  /** @returns whether all patterns were searched for in time */
  private async searchAll(searches: readonly TextSearch[]): Promise<boolean> {
    const { organizationId } = this.filters;
    const matchesOf = ({ search, pattern }: SearchedPattern): RuleMatches =>
      this.matches[searches[search]!.positions[pattern]!]!;
    const client = { organizationId, signal: this.request.signal };
    const refused = await this.engine.customSearch.search(searches, client, (searched, offsets) => {
      const matches = matchesOf(searched);
      const { index, reading } = searches[searched.search]!;
      for (let next = 0; next < offsets.length; next += 2) {
        matches.addRead(index, reading, { start: offsets[next]!, end: offsets[next + 1]! });
      }
    });
    // What may be in the text must not pass.
    if (refused !== undefined) matchesOf(refused).refuse();
    return refused === undefined;
  }
}

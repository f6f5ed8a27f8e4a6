import type { SearchPlace } from '../../../../packages/patterns/index.js';
import { LongWork } from '../../../concurrency/long-work.js';
import type { CompiledFilters, ContentEngine } from '../engine/compiled-filters.js';
import { MAXIMUM_REDACTIONS, type RuleMatches } from '../engine/rule-matches.js';
import type { TextReading } from '../engine/text-readings.js';

/** How many texts are searched at once, about: those of most requests. */
const MAXIMUM_BATCH_SIZE = 1_000;

interface SearchedText {
  readonly index: number;
  readonly reading: TextReading;
}

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
  private batch: SearchedText[] = [];

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
    for (; this.next < this.request.textCount && this.batch.length < MAXIMUM_BATCH_SIZE; this.next += 1) {
      if (this.turn.mustRest) await this.turn.rest();
      for (const reading of await this.request.readingsOf(this.next, this.turn)) {
        this.batch.push({ index: this.next, reading });
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

  /** @returns whether all patterns were searched for in time */
  private async searchAll(batch: readonly SearchedText[]): Promise<boolean> {
    const { organizationId, customPatterns } = this.filters;
    const matchesOf = ({ pattern }: SearchPlace): RuleMatches => this.matches[pattern]!;
    const search = {
      patterns: customPatterns.map(({ pattern }) => pattern),
      texts: batch.map(({ reading }) => reading.text),
      // One match more than may be taken out shows that there are too many.
      maximum: MAXIMUM_REDACTIONS + 1,
    };
    const client = { organizationId, signal: this.request.signal };
    const refused = await this.engine.customSearch.search(search, client, (found) => {
      const matches = matchesOf(found);
      const { index, reading } = batch[found.text]!;
      const { offsets } = found;
      for (let next = 0; next < offsets.length; next += 2) {
        matches.addRead(index, reading, { start: offsets[next]!, end: offsets[next + 1]! });
      }
    });
    // What may be in the text must not pass.
    if (refused !== undefined) matchesOf(refused).refuse();
    return refused === undefined;
  }
}

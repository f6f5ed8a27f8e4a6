import type { SearchPlace } from '../../../../packages/patterns/index.js';
import { LongWork } from '../../../concurrency/long-work.js';
import { type FilterPlace, REQUEST_PLACES } from '../content-filters.js';
import type { ScannedText } from '../content-result.js';
import type { CompiledFilters, ContentEngine } from '../engine/compiled-filters.js';
import { placeOf } from '../engine/filter-rule.js';
import { MAXIMUM_REDACTIONS, type RuleMatches } from '../engine/rule-matches.js';
import type { TextReading } from '../engine/text-readings.js';

/** How many texts are searched at once, about: those of most requests. */
const MAXIMUM_BATCH_SIZE = 1_000;

interface SearchedText {
  readonly index: number;
  readonly reading: TextReading;
}

interface ScannedRequest {
  readonly texts: readonly ScannedText[];
  /** What is scanned of the text at a position. @param turn lets others use the event loop meanwhile */
  readonly readingsOf: (index: number, turn: LongWork) => Promise<readonly TextReading[]>;
  /** Ends the search when the client is gone. */
  readonly signal: AbortSignal | undefined;
}

/** Texts that are searched for the same patterns, both by their positions. */
interface SearchPass {
  readonly texts: readonly number[];
  readonly patterns: readonly number[];
}

/** What one search is made for. */
interface SearchBatch {
  readonly texts: readonly SearchedText[];
  readonly patterns: readonly number[];
}

/** The search of a request's texts for the custom patterns of its policy. */
export class CustomScan {
  private readonly turn: LongWork;
  private readonly batches: AsyncGenerator<SearchBatch, void, undefined>;
  /** The one that {@link run} goes on with; undefined when all texts have been searched. */
  private batch: SearchBatch | undefined;

  /** @param matches take what is found, in the order of the patterns */
  constructor(
    private readonly filters: CompiledFilters,
    private readonly engine: ContentEngine,
    private readonly matches: readonly RuleMatches[],
    private readonly request: ScannedRequest,
  ) {
    this.turn = new LongWork(engine.turns, filters.organizationId, request.signal);
    this.batches = this.batchesOf(passesOf(filters, request.texts));
  }

  /** Prepares the first searches on the event loop, so that {@link run} can hand them to a thread at once. */
  async prepare(): Promise<void> {
    const { value } = await this.batches.next();
    this.batch = value ?? undefined;
  }

  /** Searches all texts, up to the first in which the patterns take too long: with that the request is refused. */
  async run(): Promise<void> {
    while (this.batch !== undefined) {
      if (!(await this.searchAll(this.batch))) return;
      await this.prepare();
    }
  }

  private async *batchesOf(passes: readonly SearchPass[]): AsyncGenerator<SearchBatch, void, undefined> {
    for (const { texts, patterns } of passes) {
      let batch: SearchedText[] = [];
      for (const index of texts) {
        if (this.turn.mustRest) await this.turn.rest();
        for (const reading of await this.request.readingsOf(index, this.turn)) batch.push({ index, reading });
        if (batch.length < MAXIMUM_BATCH_SIZE) continue;
        yield { texts: batch, patterns };
        batch = [];
      }
      if (batch.length > 0) yield { texts: batch, patterns };
    }
  }

  /** @returns whether all patterns were searched for in time */
  private async searchAll({ texts, patterns }: SearchBatch): Promise<boolean> {
    const { organizationId, customPatterns } = this.filters;
    const matchesOf = ({ pattern }: SearchPlace): RuleMatches => this.matches[patterns[pattern]!]!;
    const search = {
      patterns: patterns.map((position) => customPatterns[position]!.pattern),
      texts: texts.map(({ reading }) => reading.text),
      // One match more than may be taken out shows that there are too many.
      maximum: MAXIMUM_REDACTIONS + 1,
    };
    const client = { organizationId, signal: this.request.signal };
    const refused = await this.engine.customSearch.search(search, client, (found) => {
      const matches = matchesOf(found);
      const { index, reading } = texts[found.text]!;
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

/** All texts are searched at once, unless some pattern is for a part of them: then those of each place are. */
function passesOf({ customPatterns }: CompiledFilters, texts: readonly ScannedText[]): SearchPass[] {
  if (customPatterns.length === 0) return [];
  const [allPatterns, allTexts] = [[...customPatterns.keys()], [...texts.keys()]];
  const isFor = (place: FilterPlace) => (position: number) => customPatterns[position]!.rule.places.includes(place);
  if (REQUEST_PLACES.every((place) => allPatterns.every(isFor(place)))) {
    return [{ texts: allTexts, patterns: allPatterns }];
  }
  return REQUEST_PLACES.map((place) => ({
    texts: allTexts.filter((position) => placeOf(texts[position]!) === place),
    patterns: allPatterns.filter(isFor(place)),
  })).filter(({ patterns }) => patterns.length > 0);
}

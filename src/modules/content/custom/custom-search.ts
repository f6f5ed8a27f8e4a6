import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type MatchOffsets, type PatternSearch, SearchThread } from '../../../../packages/patterns/index.js';
import { FairQueue } from '../../../concurrency/fair-queue.js';
import { TooManyContentScans } from '../content.errors.js';

/** How long the custom patterns of a policy may take in one text, in milliseconds. */
const TIME_LIMIT_MS = 5_000;

/** How long an organization searches before others have their turn, in milliseconds, as far as patterns end in time. */
const SLICE_MS = 250;

/** How long a turn may take while others wait, in milliseconds: a pattern that takes longer then is given up. */
const TURN_LIMIT_MS = 1_000;

/** The request that searches are made for. */
export interface SearchClient {
  readonly organizationId: string;
  /** Ends the search between two turns. */
  readonly signal?: AbortSignal | undefined;
}

/** A pattern of one of several searches, by their positions. */
export interface SearchedPattern {
  readonly search: number;
  readonly pattern: number;
}

/** Called with the matches of a pattern in a text. */
type OnPatternMatches = (pattern: SearchedPattern, matches: MatchOffsets) => void;

/** Searches texts for custom patterns in one thread, which organizations have in turns, and which starts on demand. */
@Injectable()
export class CustomSearch implements OnApplicationShutdown {
  private readonly thread = new SearchThread();
  private readonly queue = new FairQueue({
    overload: TooManyContentScans,
    concurrency: 1,
    concurrencyPerOrganization: 1,
    waitingPerOrganization: 255,
    retryAfterSeconds: 1,
  });

  /**
   * Searches all texts of a request, in as many turns as it takes.
   *
   * @param searches with at least one pattern each
   * @param found takes the matches of each pattern as they are found, one search after the other
   * @returns the pattern that took too much time or memory, with which the search has ended; undefined if none did
   * @throws TooManyContentScans when too many requests of the organization wait already
   * @throws the reason of the client's signal when that is aborted
   */
  async search(
    searches: readonly PatternSearch[],
    { organizationId, signal }: SearchClient,
    found: OnPatternMatches,
  ): Promise<SearchedPattern | undefined> {
    for (const [search, { patterns, text, maximum }] of searches.entries()) {
      let pattern = 0;
      for (let leftMs = TIME_LIMIT_MS; pattern < patterns.length;) {
        const rest = { patterns: patterns.slice(pattern), text, maximum };
        const limits = {
          sliceMs: SLICE_MS,
          limitMs: Math.min(leftMs, TURN_LIMIT_MS),
          mayGoOn: () => !this.queue.hasOthersWaiting(organizationId),
          longestMs: leftMs,
        };
        const part = await this.queue.run(organizationId, () => this.thread.search(rest, limits), signal);
        for (const offsets of part.matches) {
          found({ search, pattern }, offsets);
          pattern += 1;
        }
        leftMs -= part.milliseconds;
        if (part.hasFailed || (leftMs <= 0 && pattern < patterns.length)) return { search, pattern };
      }
    }
    return undefined;
  }

  /** Ends the thread after the last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.thread.close();
  }
}

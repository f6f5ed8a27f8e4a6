import type { PatternSearch, SearchedPart, SearchLimits } from '../../../../packages/patterns/index.js';
import { TooManyContentScans } from '../content.errors.js';
import { type OnPatternMatches, type SearchedPattern, SearchProgress } from './search-progress.js';
import { LITTLE_MS, type SearchTurn, SearchTurns, type ThreadName } from './search-turns.js';

/** How long an organization searches before others have their turn, in milliseconds, as far as patterns end in time. */
const SLICE_MS = 250;

/** How long it has the quick thread at most, in milliseconds: a pattern that takes longer is searched for in the other thread. */
const QUICK_LIMIT_MS = 500;

/** How many requests of an organization may search or wait. */
const REQUESTS_PER_ORGANIZATION = 256;
const RETRY_AFTER_SECONDS = 1;

/** The requests that searches are made for. */
export interface SearchClient {
  readonly organizationId: string;
  /** Ends the search between two turns. */
  readonly signal?: AbortSignal | undefined;
}

/** What searches texts, one at a time. */
export interface Searcher {
  search(search: PatternSearch, limits: SearchLimits): Promise<SearchedPart>;
}

/** Searches texts in threads that organizations share fairly. */
export class FairSearch {
  private readonly turns: SearchTurns;
  /** How many requests of an organization search or wait. */
  private readonly requests = new Map<string, number>();

  /** @param now gives the time in milliseconds */
  constructor(
    private readonly threads: Readonly<Record<ThreadName, Searcher>>,
    now?: () => number,
  ) {
    this.turns = new SearchTurns(now);
  }

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
    const requests = this.requests.get(organizationId) ?? 0;
    if (requests >= REQUESTS_PER_ORGANIZATION) throw new TooManyContentScans(RETRY_AFTER_SECONDS);
    this.requests.set(organizationId, requests + 1);
    try {
      const progress = new SearchProgress(searches, found);
      while (progress.rest !== undefined) {
        const turn = await this.turns.enter(organizationId, signal);
        await this.searchIn(turn, progress);
      }
      return progress.refused;
    } finally {
      this.forget(organizationId);
    }
  }

  private async searchIn(turn: SearchTurn, progress: SearchProgress): Promise<void> {
    const isPatient = turn.thread === 'patient';
    let usedMs = 0;
    try {
      for (let rest = progress.rest; rest !== undefined && usedMs < SLICE_MS; rest = progress.rest) {
        const limitMs = isPatient ? progress.leftMs : Math.min(progress.leftMs, QUICK_LIMIT_MS - usedMs);
        const part = await this.threads[turn.thread].search(rest, { sliceMs: SLICE_MS - usedMs, limitMs });
        usedMs += part.milliseconds;
        progress.add(part, isPatient);
        // From now on the organization has the other thread, which it may need for long.
        if (part.hasFailed) usedMs = Math.max(usedMs, 2 * LITTLE_MS);
      }
    } finally {
      turn.leave(usedMs);
    }
  }

  private forget(organizationId: string): void {
    const requests = this.requests.get(organizationId)! - 1;
    if (requests === 0) this.requests.delete(organizationId);
    else this.requests.set(organizationId, requests);
  }
}

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  type PatternMatches,
  type PatternSearch,
  type SearchPlace,
  SearchThread,
} from '../../../../packages/patterns/index.js';
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
   * Searches texts of a request, in as many turns as it takes.
   *
   * @param found takes the matches as they are found, one text after the other
   * @returns the pattern that took too much time or memory, and in which text: with that the search has ended; undefined if none did
   * @throws TooManyContentScans when too many requests of the organization wait already
   * @throws the reason of the client's signal when that is aborted
   */
  async search(
    search: PatternSearch,
    { organizationId, signal }: SearchClient,
    found: (matches: PatternMatches) => void,
  ): Promise<SearchPlace | undefined> {
    let place: SearchPlace = { text: 0, pattern: 0 };
    let leftMs = TIME_LIMIT_MS;
    while (place.text < search.texts.length) {
      const from = place;
      const limits = {
        sliceMs: SLICE_MS,
        limitMs: Math.min(leftMs, TURN_LIMIT_MS),
        mayGoOn: () => !this.queue.hasOthersWaiting(organizationId),
        longestMs: leftMs,
      };
      const progress = await this.queue.run(
        organizationId,
        () => this.thread.search(search, from, limits, found),
        signal,
      );
      if (progress.hasFailed) return progress.place;
      place = progress.place;
      if (place.text !== from.text) leftMs = TIME_LIMIT_MS;
      // Of a text that is not done, a turn has searched for a slice at most before it, and longer only in the text itself.
      if (place.pattern > 0) leftMs -= progress.milliseconds;
      if (leftMs <= 0) return place;
    }
    return undefined;
  }

  /** Ends the thread after the last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.thread.close();
  }
}

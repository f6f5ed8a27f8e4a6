import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type MatchOffsets, type PatternSearch, SearchThread } from '../../../../packages/patterns/index.js';
import { FairQueue } from '../../../limits/fair-queue.js';
import { TooManyContentScans } from '../content.errors.js';

/** How long the custom patterns of a policy may take in one text, in milliseconds. */
const TIME_LIMIT_MS = 5_000;

/** The requests that searches are made for. */
export interface SearchClient {
  readonly organizationId: string;
  /** Ends the wait for the thread. */
  readonly signal?: AbortSignal;
}

/**
 * Searches texts for custom patterns in a thread, for one text at a time: organizations take turns, and each has a bounded
 * number of waiting texts.
 */
@Injectable()
export class CustomSearch implements OnApplicationShutdown {
  private readonly thread = new SearchThread(TIME_LIMIT_MS);
  private readonly queue = new FairQueue({
    overload: TooManyContentScans,
    concurrency: 1,
    concurrencyPerOrganization: 1,
    waitingPerOrganization: 256,
    retryAfterSeconds: 1,
  });

  /**
   * Searches when it is the organization's turn.
   *
   * @returns the matches of each pattern; fewer than patterns when they take too long
   * @throws TooManyContentScans when too many texts of the organization wait already
   * @throws the reason of the client's signal when that is aborted before its turn
   */
  search(search: PatternSearch, { organizationId, signal }: SearchClient): Promise<readonly MatchOffsets[]> {
    return this.queue.run(organizationId, () => this.thread.search(search), signal);
  }

  /** Ends the thread after the last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.thread.close();
  }
}

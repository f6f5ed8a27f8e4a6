import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type PatternSearch, SearchThread } from '../../../../packages/patterns/index.js';
import { FairSearch, type SearchClient } from './fair-search.js';
import type { OnPatternMatches, SearchedPattern } from './search-progress.js';

/** Searches texts for custom patterns in two threads, which start on demand. */
@Injectable()
export class CustomSearch implements OnApplicationShutdown {
  private readonly quick = new SearchThread({ givesWay: false });
  private readonly patient = new SearchThread({ givesWay: true });
  private readonly fair = new FairSearch({ quick: this.quick, patient: this.patient });

  /** Searches all texts of a request, as {@link FairSearch.search} does. */
  search(
    searches: readonly PatternSearch[],
    client: SearchClient,
    found: OnPatternMatches,
  ): Promise<SearchedPattern | undefined> {
    return this.fair.search(searches, client, found);
  }

  /** Ends the threads after the last request. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.quick.close(), this.patient.close()]);
  }
}

import { Injectable } from '@nestjs/common';
import { TooManyConcurrentRequests } from '../../../http/errors/request.errors.js';
import { Environment } from '../../../config/environment.js';
import { FairQueue } from '../../../concurrency/fair-queue.js';

/** How many long queries of one organization run at a time in a process. */
const PER_ORGANIZATION = 2;

/** How many more of them wait. */
const WAITING_PER_ORGANIZATION = 20;

/** The share of all database connections of a process that long queries may use: half of those for large writes. */
const SHARE = 0.25;

/** Queries of analytics that take long, in turns: they leave connections to large writes, and to other organizations. */
@Injectable()
export class LongQueries {
  private readonly queue: FairQueue;

  constructor({ databasePoolSize, analyticsTimeoutMs }: Environment) {
    this.queue = new FairQueue({
      overload: TooManyConcurrentRequests,
      concurrency: Math.max(1, Math.floor(databasePoolSize * SHARE)),
      concurrencyPerOrganization: PER_ORGANIZATION,
      waitingPerOrganization: WAITING_PER_ORGANIZATION,
      longestWaitMs: analyticsTimeoutMs,
      retryAfterSeconds: 1,
    });
  }

  /**
   * Runs a query when it is its turn.
   *
   * @throws TooManyConcurrentRequests when too many of the organization wait, or this one has waited for ANALYTICS_TIMEOUT_MS
   */
  run<Result>(organizationId: string, query: () => Promise<Result>): Promise<Result> {
    return this.queue.run(organizationId, query);
  }
}

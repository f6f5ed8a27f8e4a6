import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { TooManyRequests } from '../errors/request.errors.js';
import { RedisConnection } from '../../concurrency/redis-connection.js';

/** The length of a window, in milliseconds: limits are stated per minute. */
const WINDOW_MS = 60_000;

/** How often replicas exchange their counts, in milliseconds. */
const EXCHANGE_MS = 250;

/** How long a count is stored in Redis, in seconds: longer than a window, because the clocks of replicas differ. */
const EXPIRY_SECONDS = 120;

/** The requests of one organization in the current window. */
interface RequestCount {
  /** All requests known to this process: its own, and those of other replicas at the last exchange. */
  total: number;
  /** The requests that were not yet shared with other replicas. */
  unreported: number;
}

/**
 * Limits the requests of each organization per minute. With Redis, replicas share their counts: they exchange them every 250
 * ms rather than with every request, so that counting adds no latency; a limit can be exceeded by the requests that arrive
 * in between.
 */
@Injectable()
export class RequestRateLimit implements OnApplicationShutdown {
  private readonly limit: number;
  private window = 0;
  private counts = new Map<string, RequestCount>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    environment: Environment,
    private readonly redis: RedisConnection,
  ) {
    this.limit = environment.organizationRequestsPerMinute;
    if (redis.client === undefined) return;
    this.timer = setInterval(() => void this.exchange(), EXCHANGE_MS).unref();
  }

  /**
   * Counts one request.
   *
   * @param organizationId requests without a credential are counted as those of one organization
   * @throws TooManyRequests when it exceeds the limit of this minute
   */
  count(organizationId = ''): void {
    if (this.isReached(organizationId)) {
      throw new TooManyRequests(Math.ceil((WINDOW_MS - (Date.now() % WINDOW_MS)) / 1000));
    }
    let count = this.counts.get(organizationId);
    if (count === undefined) {
      count = { total: 0, unreported: 0 };
      this.counts.set(organizationId, count);
    }
    count.total += 1;
    count.unreported += 1;
  }

  /** Whether {@link count} would refuse the next request. */
  isReached(organizationId: string): boolean {
    this.enter(Date.now());
    return (this.counts.get(organizationId)?.total ?? 0) >= this.limit;
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Starts a new window if the last one is over. */
  private enter(now: number): void {
    const window = Math.floor(now / WINDOW_MS);
    if (window === this.window) return;
    this.window = window;
    this.counts = new Map();
  }

  private async exchange(): Promise<void> {
    this.enter(Date.now());
    const { client } = this.redis;
    // Otherwise the counts are shared with the next exchange.
    if (client?.status !== 'ready' || this.counts.size === 0) return;
    const reported = [...this.counts].map(([organizationId, count]) => ({
      organizationId,
      count,
      requests: count.unreported,
    }));
    const pipeline = client.pipeline();
    for (const { organizationId, count, requests } of reported) {
      const key = `gatehouse:requests:${this.window}:${organizationId}`;
      pipeline.incrby(key, requests).expire(key, EXPIRY_SECONDS);
      count.unreported -= requests;
    }
    const answers = await pipeline.exec().catch(() => null);
    reported.forEach(({ count, requests }, index) => {
      const [error, total] = answers?.[2 * index] ?? [new Error('Redis has not answered')];
      if (error !== null) count.unreported += requests;
      // Requests that arrived since then are not included in Redis's total.
      else count.total = (total as number) + count.unreported;
    });
  }
}

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { RateLimitExceededError } from '../http/errors/domain-error.js';
import { RedisConnection } from './redis-connection.js';

/** The length of a window, in milliseconds: limits are stated per minute. */
const WINDOW_MS = 60_000;

/** How often replicas tell each other what they have counted, in milliseconds. */
const EXCHANGE_MS = 250;

/** How long a count is kept in Redis, in seconds: a window, and the clocks of replicas that differ. */
const KEPT_SECONDS = 120;

/** What one organization has requested in the window. */
interface RequestCount {
  /** All of it, as far as this process knows: its own requests, and those of other replicas at the last exchange. */
  total: number;
  /** What other replicas do not know of yet. */
  untold: number;
}

/**
 * Limits the requests of each organization per minute. Where there is Redis, replicas count together: they exchange their
 * counts every 250 ms rather than asking with every request, so that counting costs a request nothing; a limit can be
 * passed by what arrives in between.
 */
@Injectable()
export class RequestRate implements OnApplicationShutdown {
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
   * @throws RateLimitExceededError when it is one too many in this minute
   */
  count(organizationId = ''): void {
    const now = Date.now();
    this.enter(now);
    let count = this.counts.get(organizationId);
    if (count === undefined) {
      count = { total: 0, untold: 0 };
      this.counts.set(organizationId, count);
    }
    if (count.total >= this.limit) {
      throw new RateLimitExceededError('organization_request_rate', Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / 1000));
    }
    count.total += 1;
    count.untold += 1;
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Begins a window anew where the last one is over. */
  private enter(now: number): void {
    const window = Math.floor(now / WINDOW_MS);
    if (window === this.window) return;
    this.window = window;
    this.counts = new Map();
  }

  private async exchange(): Promise<void> {
    this.enter(Date.now());
    const { client } = this.redis;
    // What is not told now is told with the next exchange.
    if (client?.status !== 'ready' || this.counts.size === 0) return;
    const told = [...this.counts].map(([organizationId, count]) => ({ organizationId, count, requests: count.untold }));
    const pipeline = client.pipeline();
    for (const { organizationId, count, requests } of told) {
      const key = `gatehouse:requests:${this.window}:${organizationId}`;
      pipeline.incrby(key, requests).expire(key, KEPT_SECONDS);
      count.untold -= requests;
    }
    const answers = await pipeline.exec().catch(() => null);
    told.forEach(({ count, requests }, index) => {
      const [error, total] = answers?.[2 * index] ?? [new Error('Redis has not answered')];
      if (error !== null) count.untold += requests;
      // What has arrived since the question is not in the answer.
      else count.total = (total as number) + count.untold;
    });
  }
}

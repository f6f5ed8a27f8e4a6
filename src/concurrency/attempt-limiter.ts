import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisConnection } from './redis-connection.js';

/** What may be done how often. */
export interface AttemptLimit {
  /** Names the counts in Redis: `key-deletion`. */
  readonly name: string;
  /** How many attempts are permitted in a window. */
  readonly attempts: number;
  readonly windowSeconds: number;
}

/**
 * Counts attempts in windows of time: in Redis (`REDIS_URL`), shared by all replicas, if configured; otherwise, and while Redis does not
 * answer, in memory.
 */
export class AttemptLimiter {
  private readonly limiter: RateLimiterMemory | RateLimiterRedis;

  constructor({ name, attempts, windowSeconds }: AttemptLimit, { client }: RedisConnection) {
    const options = { keyPrefix: `gatehouse:${name}`, points: attempts, duration: windowSeconds };
    const memory = new RateLimiterMemory(options);
    this.limiter =
      client === undefined
        ? memory
        : new RateLimiterRedis({
            ...options,
            storeClient: client,
            insuranceLimiter: memory,
            rejectIfRedisNotReady: true,
          });
  }

  /**
   * Counts one attempt.
   *
   * @param of whom the attempts are counted of
   * @returns null where it is permitted, else the whole seconds until the next one is
   */
  async count(of: string): Promise<number | null> {
    try {
      await this.limiter.consume(of);
      return null;
    } catch (refusal) {
      // The limiter throws the rest of the window, or an Error when it failed itself.
      if (refusal instanceof Error) throw refusal;
      return Math.max(1, Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000));
    }
  }
}

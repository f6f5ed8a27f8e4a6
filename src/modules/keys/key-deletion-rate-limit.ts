import { Injectable } from '@nestjs/common';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import { Environment } from '../../config/environment.js';
import { RedisConnection } from '../../concurrency/redis-connection.js';
import { TooManyKeyDeletions } from './keys.errors.js';

/**
 * Counts the keys that each credential deletes, at most `KEY_DELETION_RATE_LIMIT` in `KEY_DELETION_RATE_WINDOW_S`
 * (docs/interface/keys-and-oauth.md#deleting-a-key): in Redis (`REDIS_URL`), shared by all replicas, if configured; otherwise, and while
 * Redis does not answer, in memory.
 */
@Injectable()
export class KeyDeletionRateLimit {
  private readonly limiter: RateLimiterAbstract;

  constructor(environment: Environment, { client }: RedisConnection) {
    const options = {
      keyPrefix: 'gatehouse:key-deletion',
      points: environment.keyDeletionRateLimit,
      duration: environment.keyDeletionRateWindowSeconds,
    };
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
   * @param credentialId the credential that deletes
   * @throws TooManyKeyDeletions beyond the limit
   */
  async count(credentialId: string): Promise<void> {
    try {
      await this.limiter.consume(credentialId);
    } catch (refusal) {
      // The limiter throws the rest of the window, or an Error when it failed itself.
      if (refusal instanceof Error) throw refusal;
      throw new TooManyKeyDeletions(Math.max(1, Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000)));
    }
  }
}

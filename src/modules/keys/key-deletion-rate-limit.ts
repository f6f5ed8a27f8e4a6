import { Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { Environment } from '../../config/environment.js';
import { RedisConnection } from '../../limits/redis-connection.js';
import { deploymentMemoryLimiter } from './deployment-memory-limiter.js';
import { TooManyKeyDeletions } from './keys.errors.js';

/**
 * Counts what each credential deletes (DECISIONS.md, section 4): in Redis for all replicas together where there is one,
 * in memory otherwise, and in memory as well for as long as Redis does not answer.
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
    const memory = deploymentMemoryLimiter(options);
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
   * @param credentialId whose
   * @throws TooManyKeyDeletions when that is one too many
   */
  async count(credentialId: string): Promise<void> {
    try {
      await this.limiter.consume(credentialId);
    } catch (refusal) {
      // The limiter throws what is left of the window, or an Error where it failed itself.
      if (refusal instanceof Error) throw refusal;
      throw new TooManyKeyDeletions(Math.max(1, Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000)));
    }
  }
}

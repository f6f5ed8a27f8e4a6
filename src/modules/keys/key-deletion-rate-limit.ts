import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { Environment } from '../../config/environment.js';
import { ServiceLogger } from '../../http/logging/service-logger.js';
import { deploymentMemoryLimiter } from './deployment-memory-limiter.js';
import { TooManyKeyDeletions } from './keys.errors.js';

/** How long Redis may take to accept a connection, to answer and to hang up, in milliseconds. After that it counts as gone. */
const REDIS_PATIENCE_MS = 500;

/**
 * Counts what each credential deletes (DECISIONS.md, section 4): in Redis for all replicas together where there is one,
 * in memory otherwise, and in memory as well for as long as Redis does not answer.
 */
@Injectable()
export class KeyDeletionRateLimit implements OnApplicationShutdown {
  private readonly limiter: RateLimiterAbstract;
  private readonly redis: Redis | undefined;

  constructor(
    environment: Environment,
    private readonly logger: ServiceLogger,
  ) {
    const options = {
      keyPrefix: 'gatehouse:key-deletion',
      points: environment.keyDeletionRateLimit,
      duration: environment.keyDeletionRateWindowSeconds,
    };
    const memory = deploymentMemoryLimiter(options);
    this.redis = environment.redisUrl === undefined ? undefined : this.connect(environment.redisUrl);
    this.limiter =
      this.redis === undefined
        ? memory
        : new RateLimiterRedis({
            ...options,
            storeClient: this.redis,
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

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  private connect(url: string): Redis {
    const redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: REDIS_PATIENCE_MS,
      socketTimeout: REDIS_PATIENCE_MS,
      // Without it a stop waits two seconds for the end of a connection that never was.
      disconnectTimeout: REDIS_PATIENCE_MS,
    });
    let isDown = false;
    redis.on('error', (error: Error) => {
      // One line when it goes, not one for every attempt to reach it.
      if (!isDown) this.logger.warn(`Redis is unreachable, rate limits are counted in memory: ${error.message}`);
      isDown = true;
    });
    redis.on('ready', () => {
      if (isDown) this.logger.event('Redis is back, rate limits are shared again');
      isDown = false;
    });
    return redis;
  }
}

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Environment } from '../config/environment.js';
import { ServiceLogger } from '../http/logging/service-logger.js';

/** How long Redis may take to accept a connection, to answer and to hang up, in milliseconds. After that it counts as gone. */
const REDIS_TIMEOUT_MS = 500;

/** The connection over which replicas count together, where `REDIS_URL` names a server. */
@Injectable()
export class RedisConnection implements OnApplicationShutdown {
  /** Undefined without `REDIS_URL`. Commands fail at once while the server cannot be reached. */
  readonly client: Redis | undefined;

  constructor(
    environment: Environment,
    private readonly logger: ServiceLogger,
  ) {
    this.client = environment.redisUrl === undefined ? undefined : this.connect(environment.redisUrl);
  }

  onApplicationShutdown(): void {
    this.client?.disconnect();
  }

  private connect(url: string): Redis {
    const redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: REDIS_TIMEOUT_MS,
      socketTimeout: REDIS_TIMEOUT_MS,
      // Without it a stop waits two seconds for the end of a connection that never was.
      disconnectTimeout: REDIS_TIMEOUT_MS,
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

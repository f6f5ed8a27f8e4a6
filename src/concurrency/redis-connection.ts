import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Environment } from '../config/environment.js';

/** The timeout of Redis for connecting, for commands and for disconnecting, in milliseconds. */
const REDIS_TIMEOUT_MS = 500;

/** Where it is said that Redis is unreachable, and that it is back. */
export interface RedisLog {
  warn(message: string): void;
  event(message: string): void;
}

/** The connection to the Redis server of `REDIS_URL`, through which replicas share their counts and what they learn. */
@Injectable()
export class RedisConnection implements OnApplicationShutdown {
  /** The client; undefined without `REDIS_URL`. Commands fail immediately while the server is unreachable. */
  readonly client: Redis | undefined;

  constructor(
    environment: Environment,
    private readonly logger: RedisLog,
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
      // By default a shutdown would wait two seconds for a connection that was never established.
      disconnectTimeout: REDIS_TIMEOUT_MS,
    });
    let isDown = false;
    redis.on('error', (error: Error) => {
      // One line when the connection is lost, not one for every attempt to reconnect.
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

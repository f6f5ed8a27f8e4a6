import cluster from 'node:cluster';
import { RateLimiterCluster, RateLimiterMemory, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** How long the process that counts may take to answer, in milliseconds. */
const PRIMARY_PATIENCE_MS = 1_000;

/** What a limiter counts. */
export interface RateLimit {
  readonly keyPrefix: string;
  readonly points: number;
  /** Of a window, in seconds. */
  readonly duration: number;
}

/**
 * Counts in memory: in that of this process, or, where it is one of several workers of a service, in that of the process
 * which started them, so that the limit is the same however many there are.
 */
export function deploymentMemoryLimiter(limit: RateLimit): RateLimiterAbstract {
  return cluster.isWorker
    ? new RateLimiterCluster({ ...limit, timeoutMs: PRIMARY_PATIENCE_MS })
    : new RateLimiterMemory(limit);
}

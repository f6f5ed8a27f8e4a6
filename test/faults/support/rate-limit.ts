import type { Caller, Outcome } from './caller.js';
import type { Scene } from './scene.js';
import type { ServiceProcess } from './service-process.js';

/** How many deletions a credential may attempt, in a window that is longer than the fault. */
export const RATE_LIMIT = 50;

/** More attempts on each replica than the limit. */
const ATTEMPTS = 80;

/** Two replicas that limit the deletion of keys. */
export async function rateLimitedReplicas(scene: Scene, redisUrl: string): Promise<ServiceProcess[]> {
  const variables = {
    REDIS_URL: redisUrl,
    KEY_DELETION_RATE_LIMIT: String(RATE_LIMIT),
    KEY_DELETION_RATE_WINDOW_S: '3600',
  };
  return Promise.all([scene.service(variables), scene.service(variables)]);
}

/**
 * Attempts to delete a key that there is not, on every replica at the same time. One that is admitted is a 404, one over
 * the limit a 429.
 */
export function attemptDeletions(callers: readonly Caller[], key: string): Promise<Outcome[]> {
  return Promise.all(
    callers.flatMap((caller) => Array.from({ length: ATTEMPTS }, () => caller.delete(`/keys/${'0'.repeat(64)}`, key))),
  );
}

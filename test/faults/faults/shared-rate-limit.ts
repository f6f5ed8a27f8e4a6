import type { Fault } from '../support/fault.js';
import { summaryOf } from '../support/outcomes.js';
import { attemptDeletions, RATE_LIMIT, rateLimitedReplicas } from '../support/rate-limit.js';

/** Two replicas with a Redis count together. */
export const SHARED_RATE_LIMIT: Fault = {
  name: 'shared-rate-limit',
  title: `one credential, a limit of ${RATE_LIMIT} deletions, and two replicas with a Redis`,
  run: async (scene) => {
    const { verdict } = scene;
    const redis = await scene.redis();
    if (redis === undefined) return;
    const replicas = await rateLimitedReplicas(scene, redis.url);
    const outcomes = await attemptDeletions(
      replicas.map((replica) => scene.caller(replica)),
      scene.tenant.management_key,
    );
    const admitted = outcomes.filter(({ status }) => status === 404).length;
    const refused = outcomes.filter(({ status }) => status === 429).length;
    verdict.figure('sent', outcomes.length);
    verdict.figure('admitted', admitted);
    verdict.figure('refused', refused);
    verdict.figure('failed', outcomes.length - admitted - refused);
    verdict.expect(
      admitted === RATE_LIMIT && admitted + refused === outcomes.length,
      `exactly ${RATE_LIMIT} are admitted, the others are a 429`,
      summaryOf(outcomes),
    );
  },
};

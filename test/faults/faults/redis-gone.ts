import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome } from '../support/caller.js';
import type { Fault } from '../support/fault.js';
import { longestOf, summaryOf } from '../support/outcomes.js';
import type { RedisServer } from '../support/redis-server.js';
import { attemptDeletions, RATE_LIMIT, rateLimitedReplicas } from '../support/rate-limit.js';
import { makeKeys } from '../support/rows.js';
import type { Scene } from '../support/scene.js';
import type { ServiceProcess } from '../support/service-process.js';
import { becomesTrue } from '../support/becomes-true.js';

const GONE = 'Redis is unreachable';
const BACK = 'Redis is back';

/** How long a replica may take to notice that Redis is unavailable or available again, in milliseconds. */
const NOTICE_MS = 50_000;

/** Deletions continue meanwhile, and each is answered within this time, in milliseconds. */
const ANSWER_MS = 20_000;

/** Redis is killed, and then frozen, while two replicas count in it. */
export const REDIS_GONE: Fault = {
  name: 'redis-gone',
  title: 'Redis killed and started again, then frozen and thawed, while two replicas count rate limits in it',
  run: async (scene) => {
    const redis = await scene.redis();
    if (redis !== undefined) await loseRedis(scene, redis);
  },
};

async function loseRedis(scene: Scene, redis: RedisServer): Promise<void> {
  const { verdict } = scene;
  const replicas = await rateLimitedReplicas(scene, redis.url);
  const [backgroundKey, ...keys] = await makeKeys(await scene.database(), scene.tenant, 'management_key', 6);
  scene.keepSecret(backgroundKey!, ...keys);
  const callers = replicas.map((replica) => scene.caller(replica));
  const outcomes: Outcome[] = [];
  const background = scene.load(4, async (who) => {
    outcomes.push(await callers[who % callers.length]!.delete(`/keys/${'0'.repeat(64)}`, backgroundKey));
    await delay(10);
  });

  const count = async (what: string, expected: number): Promise<void> => {
    const key = keys.pop()!;
    const attempts = await attemptDeletions(callers, key);
    const admitted = attempts.filter(({ status }) => status === 404).length;
    outcomes.push(...attempts);
    verdict.figure(`${what}: admitted`, admitted);
    verdict.expect(admitted === expected, `${what}: ${expected} deletions are admitted`, summaryOf(attempts));
  };

  await count('with Redis', RATE_LIMIT);
  await redis.kill();
  await noticed(scene, replicas, GONE, 1);
  // Each replica counts separately now.
  await count('without', RATE_LIMIT * replicas.length);
  await delay(scene.count(3_000, 500));
  await redis.start();
  await noticed(scene, replicas, BACK, 1);
  await count('back', RATE_LIMIT);
  redis.freeze();
  await noticed(scene, replicas, GONE, 2);
  await count('frozen', RATE_LIMIT * replicas.length);
  await delay(scene.count(3_000, 500));
  redis.thaw();
  await noticed(scene, replicas, BACK, 2);
  await count('thawed', RATE_LIMIT);
  await background.stop();

  const failed = outcomes.filter(({ status }) => status !== 404 && status !== 429);
  verdict.figure('sent', outcomes.length);
  verdict.figure('failed', failed.length);
  verdict.figure('longest ms', longestOf(outcomes));
  verdict.expect(failed.length === 0, 'every deletion is admitted or refused, none fails', summaryOf(failed));
  verdict.expect(longestOf(outcomes) <= ANSWER_MS, `each is answered within ${ANSWER_MS} ms`, longestOf(outcomes));
  for (const replica of replicas) {
    const lines = { gone: replica.countOf(GONE), back: replica.countOf(BACK) };
    verdict.expect(lines.gone === 2 && lines.back === 2, 'each replica says once that Redis is gone, and back', lines);
    verdict.expect(replica.isRunning, 'the process never exits');
  }
}

async function noticed(
  { verdict }: Scene,
  replicas: readonly ServiceProcess[],
  message: string,
  times: number,
): Promise<void> {
  const isNoticed = await becomesTrue(() => replicas.every((replica) => replica.countOf(message) === times), NOTICE_MS);
  verdict.expect(isNoticed, `each replica logs "${message}" for the ${times}. time`);
}

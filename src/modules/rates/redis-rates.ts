import type { Redis } from 'ioredis';
import {
  type CountedRequest,
  limitsOf,
  nameOf,
  type RateCount,
  type RateCounter,
  type RateSubject,
  type TokenCorrection,
  withTokenLimits,
} from './rate-count.js';
import { COUNT_SCRIPT, CORRECT_SCRIPT } from './redis-scripts.js';

/** The client with the scripts as commands, which Redis is sent by their hash. */
interface ScriptedRedis extends Redis {
  gatehouseCountRequest(keys: number, ...values: (string | number)[]): Promise<number[]>;
  gatehouseCorrectTokens(keys: number, ...values: (string | number)[]): Promise<number>;
}

/** Counts in Redis what comes to all replicas. Fails where Redis does not answer. */
export class RedisRates implements RateCounter {
  private readonly redis: ScriptedRedis;

  constructor(client: Redis) {
    client.defineCommand('gatehouseCountRequest', { lua: COUNT_SCRIPT });
    client.defineCommand('gatehouseCorrectTokens', { lua: CORRECT_SCRIPT });
    this.redis = client as ScriptedRedis;
  }

  async count(organizationId: string, request: CountedRequest): Promise<RateCount> {
    const { subjects, tokens } = request;
    const limits = subjects.flatMap(({ limits: { requestsPerMinute, tokensPerMinute } }) => [
      requestsPerMinute ?? -1,
      tokensPerMinute ?? -1,
    ]);
    const keys = keysOf(organizationId, subjects);
    const answer = await this.redis.gatehouseCountRequest(keys.length, ...keys, tokens, ...limits);
    const [second, exceeded, retryAfterSeconds, ...used] = answer as [number, number, number, ...number[]];
    const asked = limitsOf(request);
    const levels = asked.map(({ subject, kind, limit }, index) => ({
      subject: subject.subject,
      kind,
      limit,
      used: used[2 * index]!,
      resetSeconds: used[2 * index + 1]!,
    }));
    if (exceeded === 0) return { second, levels };
    const requested = asked[exceeded - 1]!.amount;
    return { second, levels, exceeded: { ...levels[exceeded - 1]!, requested, retryAfterSeconds } };
  }

  async correct(organizationId: string, { subjects, second, tokens }: TokenCorrection): Promise<void> {
    const keys = keysOf(organizationId, withTokenLimits(subjects));
    await this.redis.gatehouseCorrectTokens(keys.length, ...keys, second, tokens);
  }
}

/** The keys of an organization, which are on one node of a cluster. */
function keysOf(organizationId: string, subjects: readonly RateSubject[]): string[] {
  return subjects.map((subject) => `gatehouse:rates:{${organizationId}}:${nameOf(subject)}`);
}

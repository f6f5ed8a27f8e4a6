import type { Redis } from 'ioredis';
import type { CachePlace, CacheStore } from './cache-store.js';

/**
 * Keeps an answer (KEYS[2]) and notes it in the index of its organization (KEYS[1]) by when it expires, so that all of them can be found.
 * ARGV has its name in the index, the answer, its time in milliseconds, how many an organization may have, and what stands before a name
 * in a key.
 */
const WRITE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ttl = tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('SET', KEYS[2], ARGV[2], 'PX', ttl)
redis.call('ZADD', KEYS[1], now + ttl, ARGV[1])
local over = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[4])
if over > 0 then
  local evicted = redis.call('ZPOPMIN', KEYS[1], over)
  for at = 1, #evicted, 2 do redis.call('UNLINK', ARGV[5] .. evicted[at]) end
end
redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), ttl))
return 0
`;

/** Deletes the answers in an index (KEYS[1]) whose names begin with ARGV[1]; ARGV[2] stands before a name in a key. */
const PURGE_SCRIPT = `
for _, name in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if string.sub(name, 1, #ARGV[1]) == ARGV[1] then
    redis.call('UNLINK', ARGV[2] .. name)
    redis.call('ZREM', KEYS[1], name)
  end
end
return 0
`;

/** The client with the scripts as commands, which Redis is sent by their hash. */
interface ScriptedRedis extends Redis {
  gatehouseCacheWrite(keys: number, ...values: (string | number | Buffer)[]): Promise<number>;
  gatehouseCachePurge(keys: number, ...values: string[]): Promise<number>;
}

/** Keeps answers in Redis, for all replicas. */
export class RedisCacheStore implements CacheStore {
  private readonly redis: ScriptedRedis;

  /** @param maximumEntries how many answers an organization may have */
  constructor(
    client: Redis,
    private readonly maximumEntries: number,
  ) {
    client.defineCommand('gatehouseCacheWrite', { lua: WRITE_SCRIPT });
    client.defineCommand('gatehouseCachePurge', { lua: PURGE_SCRIPT });
    this.redis = client as ScriptedRedis;
  }

  async read(place: CachePlace): Promise<Buffer | undefined> {
    return (await this.redis.getBuffer(prefixOf(place.organizationId) + nameOf(place))) ?? undefined;
  }

  async write(place: CachePlace, sealed: Buffer, ttlSeconds: number): Promise<void> {
    const prefix = prefixOf(place.organizationId);
    const name = nameOf(place);
    const keys = [indexOf(place.organizationId), prefix + name];
    await this.redis.gatehouseCacheWrite(2, ...keys, name, sealed, ttlSeconds * 1000, this.maximumEntries, prefix);
  }

  async purge(organizationId: string, workspaceId?: string): Promise<void> {
    const names = workspaceId === undefined ? '' : `${workspaceId}:`;
    await this.redis.gatehouseCachePurge(1, indexOf(organizationId), names, prefixOf(organizationId));
  }
}

/** How the keys of an organization begin, which are on one node of a cluster. */
function prefixOf(organizationId: string): string {
  return `gatehouse:response-cache:{${organizationId}}:`;
}

function indexOf(organizationId: string): string {
  return `gatehouse:response-cache:{${organizationId}}`;
}

function nameOf({ workspaceId, key }: CachePlace): string {
  return `${workspaceId}:${key.toString('base64url')}`;
}

import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { RedisConnection } from '../../concurrency/redis-connection.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { Cipher } from '../encryption/cipher.js';
import type { CachePlace, CacheStore } from './stores/cache-store.js';
import { CachedResponsesRepository } from './stores/cached-responses.repository.js';
import { RedisCacheStore } from './stores/redis-cache-store.js';

/** How long a request waits for the store at most, in milliseconds: longer than it takes, and shorter than most answers of models. */
const TIME_LIMIT_MS = 250;

/** What the digests of requests are for. */
const DIGEST_PURPOSE = 'gatehouse response cache';

class StoreTooSlow extends Error {
  override readonly message = `it has not answered within ${TIME_LIMIT_MS} ms`;
}

/** What was kept for a request. */
export interface CacheReading {
  /** Absent for none. */
  readonly text?: string;
  /** Whether the store has not answered. */
  readonly hasFailed: boolean;
}

/**
 * Answers that equal requests get again (docs/response-cache.md): in Redis where there is one, else in PostgreSQL, and encrypted. A store that does
 * not answer in time is like an empty one.
 */
@Injectable()
export class ResponseCache {
  private readonly store: CacheStore;
  private isFailing = false;

  constructor(
    { client }: RedisConnection,
    repository: CachedResponsesRepository,
    environment: Environment,
    private readonly cipher: Cipher,
    private readonly logger: ServiceLogger,
  ) {
    this.store =
      client === undefined ? repository : new RedisCacheStore(client, environment.responseCacheMaximumEntries);
  }

  /** Where the answer to a request is kept. @param request all that it depends on, as a text that is the same for equal requests */
  placeOf(organizationId: string, workspaceId: string, request: string): CachePlace {
    return { organizationId, workspaceId, key: this.cipher.digest(DIGEST_PURPOSE, request) };
  }

  /** Reads what was kept. One that no key decrypts is like none. */
  async get(place: CachePlace): Promise<CacheReading> {
    const read = await this.within(async () => ({ sealed: await this.store.read(place) }));
    if (read?.sealed === undefined) return { hasFailed: read === undefined };
    try {
      return { text: this.cipher.openBytes(boundTo(place), read.sealed).toString('utf8'), hasFailed: false };
    } catch {
      // Of an earlier key, or not written by this service: as if it were not there. The next answer takes its place.
      return { hasFailed: false };
    }
  }

  /** Keeps a text, unless the store does not answer. */
  async put(place: CachePlace, text: string, ttlSeconds: number): Promise<void> {
    const sealed = this.cipher.sealBytes(boundTo(place), Buffer.from(text));
    await this.within(() => this.store.write(place, sealed, ttlSeconds));
  }

  /** Deletes all answers of an organization, or of one of its workspaces. @throws the error of the store */
  async purge(organizationId: string, workspaceId?: string): Promise<void> {
    await this.store.purge(organizationId, workspaceId);
  }

  private async within<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new StoreTooSlow()), TIME_LIMIT_MS).unref();
    });
    try {
      const result = await Promise.race([work(), limit]);
      this.isFailing = false;
      return result;
    } catch (error) {
      this.tell(error as Error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  /** One line for each time that the store fails, not one for every request. */
  private tell({ message }: Error): void {
    if (this.isFailing) return;
    this.isFailing = true;
    this.logger.warn(`the cache of answers cannot be used, requests go to providers: ${message}`);
  }
}

/** What an answer is bound to: in another place it cannot be decrypted. */
function boundTo({ organizationId, workspaceId, key }: CachePlace): readonly string[] {
  return ['cached_response', organizationId, workspaceId, key.toString('hex')];
}

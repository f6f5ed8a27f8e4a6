import { Injectable } from '@nestjs/common';
import { AttemptLimiter } from '../../concurrency/attempt-limiter.js';
import { RedisConnection } from '../../concurrency/redis-connection.js';
import { Environment } from '../../config/environment.js';
import { TooManyKeyDeletions } from './keys.errors.js';

/**
 * Counts the keys that each credential deletes, at most `KEY_DELETION_RATE_LIMIT` in `KEY_DELETION_RATE_WINDOW_S`
 * (docs/interface/keys-and-oauth.md#deleting-a-key).
 */
@Injectable()
export class KeyDeletionRateLimit {
  private readonly limiter: AttemptLimiter;

  constructor({ keyDeletionRateLimit, keyDeletionRateWindowSeconds }: Environment, redis: RedisConnection) {
    const limit = { attempts: keyDeletionRateLimit, windowSeconds: keyDeletionRateWindowSeconds };
    this.limiter = new AttemptLimiter({ name: 'key-deletion', ...limit }, redis);
  }

  /**
   * Counts one attempt.
   *
   * @param credentialId the credential that deletes
   * @throws TooManyKeyDeletions beyond the limit
   */
  async count(credentialId: string): Promise<void> {
    const wait = await this.limiter.count(credentialId);
    if (wait !== null) throw new TooManyKeyDeletions(wait);
  }
}

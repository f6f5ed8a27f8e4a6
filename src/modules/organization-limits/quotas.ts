import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Environment } from '../../config/environment.js';
import type { QuotaKind } from '../../config/quota-variables.js';
import type { Quota } from '../../persistence/quota-statement.js';
import { Statements } from '../../persistence/statements.js';
import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { QUOTA_EXCEEDED } from './organization-limits.errors.js';

/** How long it is remembered that a quota is used up, in milliseconds. */
const COUNT_AGE_MS = 1_000;

/**
 * The share of the remaining quota that may be used before the next count: small, because several replicas use it at the
 * same time.
 */
const SHARE_OF_ROOM = 1 / 16;

/** The number of cached counts. */
const REMEMBERED = 10_000;

/**
 * Enforces the quotas of organizations (docs/limits.md). Objects are only counted when a quota may be near, not with every
 * creation; requests at the same time can exceed a quota by a few.
 */
@Injectable()
export class Quotas {
  /** How many objects may be created before the next count. */
  private readonly allowances = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(
    private readonly environment: Environment,
    private readonly statements: Statements,
  ) {}

  /**
   * Checks that an organization may create one more object.
   *
   * @throws BadRequestError `quota_exceeded` when the quota is used up
   */
  async requireBelowQuota(organizationId: string, quota: Quota): Promise<void> {
    const { kind } = quota;
    if (await this.takesOne(organizationId, quota)) return;
    throw quotaExceeded(kind, this.environment.quotas[kind]);
  }

  /** Whether an organization may create one more object, which it is then expected to do. */
  async takesOne(organizationId: string, quota: Quota): Promise<boolean> {
    const { kind } = quota;
    const limit = this.environment.quotas[kind];
    const key = `${kind} ${organizationId}`;
    let allowance = this.allowances.get(key);
    if (allowance === undefined) {
      const row = await this.statements.first(quota, [organizationId, limit]);
      allowance = Math.ceil(Math.max(0, limit - row!.count) * SHARE_OF_ROOM);
      if (allowance === 0) this.allowances.set(key, 0, { ttl: COUNT_AGE_MS });
    }
    if (allowance === 0) return false;
    if (allowance === 1) this.allowances.delete(key);
    else this.allowances.set(key, allowance - 1);
    return true;
  }

  /**
   * Checks a quota when the caller knows the current number.
   *
   * @throws BadRequestError `quota_exceeded`
   */
  requireCountBelowQuota(count: number, kind: QuotaKind): void {
    const limit = this.environment.quotas[kind];
    if (count >= limit) throw quotaExceeded(kind, limit);
  }
}

function quotaExceeded(kind: QuotaKind, limit: number): BadRequestError {
  return BadRequestError.of([QUOTA_EXCEEDED.at('', limit, kind.replaceAll('_', ' '))], { quota: kind, limit });
}

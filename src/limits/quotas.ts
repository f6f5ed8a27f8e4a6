import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Environment } from '../config/environment.js';
import type { QuotaKind } from '../config/quota-variables.js';
import { type Statement, statement } from '../persistence/statement.js';
import { Statements } from '../persistence/statements.js';
import { BadRequestError } from '../api/errors/bad-request-error.js';
import { QUOTA_EXCEEDED } from './limits.errors.js';

/** How long a count is valid, in milliseconds. */
const COUNT_AGE_MS = 1_000;

/**
 * The share of the remaining quota that may be used before the next count: small, because several replicas use it at the
 * same time.
 */
const SHARE_OF_ROOM = 1 / 16;

/** The number of cached counts. */
const REMEMBERED = 10_000;

/** A kind of object, and the statement that counts those of organization $1, up to $2. */
export interface Quota extends Statement<{ count: number }, [organizationId: string, limit: number]> {
  readonly kind: QuotaKind;
}

/** A cached count. */
interface Verdict {
  /** The number of objects that may be created before the next count. */
  allowance: number;
  readonly expiresAt: number;
}

/** Builds the quota for objects in a table with a column `organization_id`. */
export function quotaStatement(name: string, { kind, table }: { kind: QuotaKind; table: string }): Quota {
  const text = `SELECT count(*)::int AS count FROM (SELECT FROM ${table} WHERE organization_id = $1 LIMIT $2::bigint) AS counted`;
  return { ...statement<{ count: number }, [organizationId: string, limit: number]>(name, text), kind };
}

/**
 * Enforces the quotas of organizations (docs/limits.md). Objects are only counted when a quota may be near, not with every
 * creation; concurrent requests to several replicas can exceed a quota by a few.
 */
@Injectable()
export class Quotas {
  private readonly verdicts = new LRUCache<string, Verdict>({ max: REMEMBERED });

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
    const limit = this.environment.quotas[kind];
    const key = `${kind} ${organizationId}`;
    let verdict = this.verdicts.get(key);
    if (verdict === undefined || (verdict.allowance === 0 && verdict.expiresAt <= Date.now())) {
      const row = await this.statements.first(quota, [organizationId, limit]);
      verdict = verdictOf(limit - row!.count);
      this.verdicts.set(key, verdict);
    }
    if (verdict.allowance === 0) throw quotaExceeded(kind, limit);
    verdict.allowance -= 1;
    if (verdict.allowance === 0) this.verdicts.delete(key);
  }

  /**
   * The same check when the caller knows the current number.
   *
   * @throws BadRequestError `quota_exceeded`
   */
  requireCountBelowQuota(count: number, kind: QuotaKind): void {
    const limit = this.environment.quotas[kind];
    if (count >= limit) throw quotaExceeded(kind, limit);
  }
}

function verdictOf(room: number): Verdict {
  return { allowance: Math.ceil(Math.max(0, room) * SHARE_OF_ROOM), expiresAt: Date.now() + COUNT_AGE_MS };
}

function quotaExceeded(kind: QuotaKind, limit: number): BadRequestError {
  return BadRequestError.of([QUOTA_EXCEEDED.at('', limit, kind.replaceAll('_', ' '))], { quota: kind, limit });
}

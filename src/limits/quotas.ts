import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import type { QuotaKind } from '../config/quotas.js';
import { type Statement, Statements } from '../database/statements.js';
import { BadRequestError } from '../http/errors/domain-error.js';

/** How long a count is relied on, in milliseconds. */
const COUNT_AGE_MS = 1_000;

/** What part of the room that is left may be filled before it is counted again: little enough for several replicas. */
const SHARE_OF_ROOM = 1 / 16;

/** How many organizations' counts are remembered. */
const REMEMBERED = 10_000;

/** A kind of object, and the statement that tells as `count` how many of them organization $1 has, counting up to $2. */
export interface Quota extends Statement {
  readonly kind: QuotaKind;
}

/** A count that was taken. */
interface Verdict {
  /** How many objects may be made before it is counted again. */
  allowance: number;
  readonly expiresAt: number;
}

/** The quota of objects that have a row each, in a table with a column `organization_id`. */
export function quotaStatement(name: string, { kind, table }: { kind: QuotaKind; table: string }): Quota {
  const text = `SELECT count(*)::int AS count FROM (SELECT FROM ${table} WHERE organization_id = $1 LIMIT $2::bigint) AS counted`;
  return { name, kind, text };
}

/**
 * Keeps organizations within their quotas (docs/limits.md). Objects are counted when a quota may be near, not with every
 * creation; requests that are answered at the same moment, by several replicas, can pass a quota by a few.
 */
@Injectable()
export class Quotas {
  private readonly verdicts = new Map<string, Verdict>();

  constructor(
    private readonly environment: Environment,
    private readonly statements: Statements,
  ) {}

  /**
   * Asks whether an organization may have one object more.
   *
   * @throws BadRequestError `quota_exceeded` when it has as many as it may have
   */
  async requireRoom(organizationId: string, quota: Quota): Promise<void> {
    const { kind } = quota;
    const limit = this.environment.quotas[kind];
    const key = `${kind} ${organizationId}`;
    let verdict = this.verdicts.get(key);
    if (verdict === undefined || (verdict.allowance === 0 && verdict.expiresAt <= Date.now())) {
      const row = await this.statements.first<{ count: number }>(quota, [organizationId, limit]);
      verdict = verdictOf(limit - row!.count);
      this.remember(key, verdict);
    }
    if (verdict.allowance === 0) throw quotaExceeded(kind, limit);
    verdict.allowance -= 1;
    if (verdict.allowance === 0) this.verdicts.delete(key);
  }

  /**
   * Asks the same where the caller knows how many there are.
   *
   * @throws BadRequestError `quota_exceeded`
   */
  requireRoomBeside(count: number, kind: QuotaKind): void {
    const limit = this.environment.quotas[kind];
    if (count >= limit) throw quotaExceeded(kind, limit);
  }

  private remember(key: string, verdict: Verdict): void {
    this.verdicts.delete(key);
    this.verdicts.set(key, verdict);
    const [oldest] = this.verdicts.keys();
    if (this.verdicts.size > REMEMBERED) this.verdicts.delete(oldest!);
  }
}

function verdictOf(room: number): Verdict {
  return { allowance: Math.ceil(Math.max(0, room) * SHARE_OF_ROOM), expiresAt: Date.now() + COUNT_AGE_MS };
}

function quotaExceeded(kind: QuotaKind, limit: number): BadRequestError {
  const what = kind.replaceAll('_', ' ');
  const message = `there are ${limit} ${what}, which is as many as there may be`;
  return new BadRequestError('quota_exceeded', [{ path: '', message }], { quota: kind, limit });
}

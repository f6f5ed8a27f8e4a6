import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { onItsOwn } from '../../concurrency/request-scope.js';
import { errorMessage } from '../../persistence/database-failures.js';
import { statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import type { LimitRow } from './admission-state.repository.js';

/** How often a process writes down that a limit refuses, in milliseconds. */
const INTERVAL_MS = 60_000;

/** Of how many limits a process remembers that it has written. */
const LIMITS = 10_000;

/** An SQL expression for the name of a limit of an organization, the same in every window. @param row of `LIMITS_OF_ORGANIZATION` */
export function limitName(row: string): string {
  return `concat_ws('/', ${row}.subject, ${row}.guardrail_id, CASE ${row}.subject WHEN 'guardrail' THEN ${row}.holder END,
    ${row}.holder_id, ${row}."interval")`;
}

function nameOf({ subject, guardrailId, holder, holderId, interval }: LimitRow): string {
  const parts = [subject, guardrailId, subject === 'guardrail' ? holder : null, holderId, interval];
  return parts.filter((part) => part !== null).join('/');
}

/** Writes down that a limit refuses, where an alert may be about it. A later window is not replaced by an earlier one. */
export const NOTE_REFUSAL = statement<never, [organizationId: string, limitName: string, firstDay: string]>(
  'limit_refusal_note',
  `INSERT INTO limit_refusals (organization_id, limit_name, first_day, refused_at)
    SELECT $1, $2, $3::date, now()
    WHERE EXISTS (SELECT FROM alerts a WHERE a.organization_id = $1 AND a.kind = 'budget' AND a.enabled)
    ON CONFLICT (organization_id, limit_name) DO UPDATE
      SET first_day = greatest(limit_refusals.first_day, EXCLUDED.first_day), refused_at = EXCLUDED.refused_at`,
);

/**
 * Remembers which limits refuse requests, for alerts (docs/interface/alerts.md#kinds): what is left of a limit may be too little for every
 * request long before it is spent. No request waits for that, and each limit is written once a minute at most.
 */
@Injectable()
export class LimitRefusals {
  private readonly noted = new LRUCache<string, true>({ max: LIMITS, ttl: INTERVAL_MS });

  constructor(
    private readonly statements: Statements,
    private readonly logger: ServiceLogger,
  ) {}

  /** Notes that a limit has refused a request. */
  note(organizationId: string, limit: LimitRow): void {
    const name = nameOf(limit);
    const known = `${organizationId} ${name} ${limit.firstDay}`;
    if (this.noted.has(known)) return;
    this.noted.set(known, true);
    onItsOwn(() => {
      this.statements.write(NOTE_REFUSAL, [organizationId, name, limit.firstDay]).catch((error: unknown) => {
        this.noted.delete(known);
        this.logger.warn(`that a limit refuses could not be written down: ${errorMessage(error)}`);
      });
    });
  }
}

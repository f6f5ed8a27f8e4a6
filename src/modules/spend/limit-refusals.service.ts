import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { onItsOwn } from '../../concurrency/request-scope.js';
import { errorMessage } from '../../persistence/database-failures.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import type { LimitRow } from './admission-state.repository.js';
import { LimitRefusalsRepository } from './limit-refusals.repository.js';

/** How often a process writes down that a limit refuses, in milliseconds. */
const INTERVAL_MS = 60_000;

/** Of how many limits a process remembers that it has written. */
const LIMITS = 10_000;

/** The name that `limitName` gives in SQL. */
function nameOf({ subject, guardrailId, holder, holderId, interval }: LimitRow): string {
  const parts = [subject, guardrailId, subject === 'guardrail' ? holder : null, holderId, interval];
  return parts.filter((part) => part !== null).join('/');
}

/**
 * Remembers which limits refuse requests, for alerts (docs/interface/alerts.md#kinds): what is left of a limit may be too little for every
 * request long before it is spent. No request waits for that, and each limit is written once a minute at most.
 */
@Injectable()
export class LimitRefusals {
  private readonly noted = new LRUCache<string, true>({ max: LIMITS, ttl: INTERVAL_MS });

  constructor(
    private readonly repository: LimitRefusalsRepository,
    private readonly logger: ServiceLogger,
  ) {}

  note(organizationId: string, limit: LimitRow): void {
    const name = nameOf(limit);
    const known = `${organizationId} ${name} ${limit.firstDay}`;
    if (this.noted.has(known)) return;
    this.noted.set(known, true);
    onItsOwn(() => {
      this.repository.note(organizationId, name, limit.firstDay).catch((error: unknown) => {
        this.noted.delete(known);
        this.logger.warn(`that a limit refuses could not be written down: ${errorMessage(error)}`);
      });
    });
  }
}

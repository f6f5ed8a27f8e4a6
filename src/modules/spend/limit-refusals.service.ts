import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { onItsOwn } from '../../concurrency/request-scope.js';
import { errorMessage } from '../../persistence/database-failures.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import type { CounterPlace } from '../limits/compiled-limit.js';
import type { LimitRow } from './admission-state.repository.js';
import { LimitRefusalsRepository } from './limit-refusals.repository.js';
import { counterNameOf } from './open-counters.js';

/** How often a process writes down that a limit refuses, in milliseconds. */
const INTERVAL_MS = 60_000;

/** Of how many limits and counters a process remembers that it has written. */
const LIMITS = 10_000;

/** The name that `limitName` gives in SQL. */
function nameOf({ subject, guardrailId, holder, holderId, interval }: LimitRow): string {
  const parts = [subject, guardrailId, subject === 'guardrail' ? holder : null, holderId, interval];
  return parts.filter((part) => part !== null).join('/');
}

/** What refuses a request: a limit of a workspace, key or guardrail, or a counter of a limit by condition and group. */
export type Refusing = LimitRow | CounterPlace;

/**
 * Remembers which limits refuse requests, for alerts (docs/interface/alerts.md#kinds): what is left of a limit may be too little for every
 * request long before it is spent. No request waits for that, and each limit, and each counter, is written once a minute at most.
 */
@Injectable()
export class LimitRefusals {
  private readonly noted = new LRUCache<string, true>({ max: LIMITS, ttl: INTERVAL_MS });

  constructor(
    private readonly repository: LimitRefusalsRepository,
    private readonly logger: ServiceLogger,
  ) {}

  /** @param refusing what has refused requests that were decided about together: their counters are written together */
  note(organizationId: string, refusing: Iterable<Refusing>): void {
    const counters = new Map<string, CounterPlace>();
    for (const one of refusing) {
      if ('combination' in one) {
        counters.set(`${organizationId} ${counterNameOf(one)}`, one);
        continue;
      }
      const name = nameOf(one);
      this.write([`${organizationId} ${name} ${one.firstDay}`], () =>
        this.repository.note(organizationId, name, one.firstDay),
      );
    }
    const fresh = [...counters].filter(([known]) => !this.noted.has(known));
    this.write(
      fresh.map(([known]) => known),
      () =>
        this.repository.noteCounters(
          organizationId,
          fresh.map(([, place]) => place),
        ),
    );
  }

  /** Writes what is not written yet. @param names of what is written */
  private write(names: readonly string[], write: () => Promise<void>): void {
    if (names.every((name) => this.noted.has(name))) return;
    for (const name of names) this.noted.set(name, true);
    onItsOwn(() => {
      write().catch((error: unknown) => {
        for (const name of names) this.noted.delete(name);
        this.logger.warn(`that a limit refuses could not be written down: ${errorMessage(error)}`);
      });
    });
  }
}

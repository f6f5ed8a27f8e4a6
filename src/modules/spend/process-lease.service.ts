import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { forSeveralRequests, onItsOwn } from '../../concurrency/request-scope.js';
import { errorMessage } from '../../persistence/database-failures.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { ProcessLeasesRepository } from './process-leases.repository.js';

/** How long a process counts as alive after it has renewed its lease, in milliseconds. */
export const LEASE_MS = 30_000;

/** How often a process renews its lease, in milliseconds. */
const RENEWAL_MS = 5_000;

/**
 * Holds the lease of this process, by which other replicas know that it is alive (docs/budgets.md#when-a-replica-dies). They count from
 * when they have seen a renewal, this process counts from before it, so that it is the first to find that its lease is over.
 */
@Injectable()
export class ProcessLeaseService implements OnModuleDestroy {
  /** The ids under which this process has reserved: the present one is the last. */
  private readonly ids: string[] = [randomUUID()];
  /** When the lease was last renewed, in milliseconds on the clock of the process. */
  private renewedAt = -Infinity;
  private renewal: Promise<string> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: ProcessLeasesRepository,
    private readonly logger: ServiceLogger,
  ) {}

  /** The id of this process in its reservations: another one after its lease was ended, at most one more for each length of a lease. */
  get processId(): string {
    return this.ids.at(-1)!;
  }

  /** All ids under which this process may have reservations: it settles them itself, whatever others take it for. */
  get ownIds(): readonly string[] {
    return this.ids;
  }

  /**
   * Makes sure that the process counts as alive for at least half a lease from now. The first call begins the regular renewals.
   *
   * @returns the id of this process in what it reserves now
   * @throws the error of the database
   */
  async hold(): Promise<string> {
    this.timer ??= onItsOwn(() => setInterval(() => void this.renewAgain(), RENEWAL_MS).unref());
    return performance.now() - this.renewedAt >= LEASE_MS / 2 ? this.renew() : this.processId;
  }

  /**
   * Renews the lease, or takes another one with another id if it was ended. One at a time, also for many requests that come at once.
   *
   * @returns the id of this process in what it reserves now
   * @throws the error of the database
   */
  async renew(): Promise<string> {
    this.renewal ??= forSeveralRequests(() => this.renewOnce()).finally(() => (this.renewal = undefined));
    return this.renewal;
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async renewOnce(): Promise<string> {
    // Before the statement: others count from when they see what it has written.
    const start = performance.now();
    if (!(await this.repository.renew(this.processId, LEASE_MS / 1_000))) {
      const next = randomUUID();
      await this.repository.renew(next, LEASE_MS / 1_000);
      this.ids.push(next);
      this.logger.warn(
        'Another process has taken this one for dead, because it had not renewed its lease for half a minute. ' +
          'What it had reserved until then is charged at its worst case.',
      );
    }
    this.renewedAt = start;
    return this.processId;
  }

  private async renewAgain(): Promise<void> {
    try {
      await this.renew();
    } catch (error) {
      this.logger.warn(
        `The lease of this process could not be renewed; this is tried again soon: ${errorMessage(error)}`,
      );
    }
  }
}

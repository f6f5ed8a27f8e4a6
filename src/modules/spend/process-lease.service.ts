import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { errorMessage } from '../../persistence/database-failures.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import type { SpendReservationEntity } from './entities/spend-reservation.entity.js';
import { ReservationsRepository } from './reservations.repository.js';

/** How long a process counts as alive after it has renewed its lease, in seconds. */
const LEASE_SECONDS = 30;

/** How often a process renews its lease, in milliseconds. */
const RENEWAL_MS = 5_000;

/**
 * Holds the lease of this process, by which other replicas know that it is alive, and finds what dead processes have reserved
 * (docs/budgets.md#when-a-replica-dies).
 */
@Injectable()
export class ProcessLeaseService implements OnModuleDestroy {
  /** The id of this process in its reservations. */
  readonly processId = randomUUID();

  /** When the lease was last renewed, in milliseconds on the clock of the process. */
  private renewedAt = -Infinity;
  /** Since when no renewal has been late, on the same clock. */
  private heldSince = Infinity;
  private renewal: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: ReservationsRepository,
    private readonly logger: ServiceLogger,
  ) {}

  /**
   * Whether this process has reached the database for the length of a lease without a break. Otherwise the database may have been
   * unreachable, and leases of other processes may have ended although these are alive.
   */
  get hasBeenHeld(): boolean {
    const now = performance.now();
    return now - this.renewedAt < LEASE_SECONDS * 1000 && now - this.heldSince >= LEASE_SECONDS * 1000;
  }

  /**
   * Reads what dead processes have reserved.
   *
   * @param most the largest number of reservations that are read at a time
   */
  async reservationsOfDeadProcesses(most: number): Promise<readonly SpendReservationEntity[]> {
    return this.hasBeenHeld ? this.repository.expired(most) : [];
  }

  /** Deletes dead processes that have no reservations. */
  async forgetDeadProcesses(): Promise<void> {
    if (this.hasBeenHeld) await this.repository.forgetProcesses();
  }

  /**
   * Makes sure that the process counts as alive for at least half a lease from now. The first call begins the regular renewals.
   *
   * @throws the error of the database
   */
  async hold(): Promise<void> {
    this.timer ??= setInterval(() => void this.renewAgain(), RENEWAL_MS).unref();
    if (performance.now() - this.renewedAt >= (LEASE_SECONDS * 1000) / 2) await this.renew();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** One at a time, also for many requests that come at once. */
  private async renew(): Promise<void> {
    this.renewal ??= this.renewOnce().finally(() => (this.renewal = undefined));
    await this.renewal;
  }

  private async renewOnce(): Promise<void> {
    // Before the statement: the database counts from a moment within it.
    const start = performance.now();
    await this.repository.renewLease(this.processId, LEASE_SECONDS);
    if (start - this.renewedAt >= LEASE_SECONDS * 1000) this.heldSince = start;
    this.renewedAt = start;
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

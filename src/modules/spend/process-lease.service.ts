import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { errorMessage } from '../../persistence/database-failures.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import type { SpendReservationEntity } from './entities/spend-reservation.entity.js';
import { ReservationsRepository } from './reservations.repository.js';

/** How long a process is taken for alive after it has said so, in seconds. */
const LEASE_SECONDS = 30;

/** How often it says so, in milliseconds. */
const RENEWAL_MS = 5_000;

/** Says to the other replicas that this process lives, and answers what it has reserved for (docs/budgets.md#when-a-replica-dies). */
@Injectable()
export class ProcessLeaseService implements OnModuleDestroy {
  /** Of this process, in reservations. */
  readonly processId = randomUUID();

  /** By the clock of the process, in milliseconds, like the other one. */
  private renewedAt = -Infinity;
  /** Since when it was never late. */
  private heldSince = Infinity;
  private renewal: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: ReservationsRepository,
    private readonly logger: ServiceLogger,
  ) {}

  /**
   * Whether this process has reached the database for the length of a lease without a break. Else the database may have been gone, and
   * the leases of others are over although they live.
   */
  get hasBeenHeld(): boolean {
    const now = performance.now();
    return now - this.renewedAt < LEASE_SECONDS * 1000 && now - this.heldSince >= LEASE_SECONDS * 1000;
  }

  /**
   * What is reserved by processes that are dead.
   *
   * @param most the number that is read at a time; less is read when there is no more
   */
  async reservationsOfDeadProcesses(most: number): Promise<readonly SpendReservationEntity[]> {
    return this.hasBeenHeld ? this.repository.expired(most) : [];
  }

  /** Forgets dead processes that have reserved nothing. */
  async forgetDeadProcesses(): Promise<void> {
    if (this.hasBeenHeld) await this.repository.forgetProcesses();
  }

  /**
   * Makes sure that the process is taken for alive for half a lease at least. The first call begins the regular renewals.
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

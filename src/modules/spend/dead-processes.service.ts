import { Injectable } from '@nestjs/common';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import type { SpendReservationEntity } from './entities/spend-reservation.entity.js';
import { LeaseObservations, type UnchangedLease } from './lease-observations.js';
import { LEASE_MS, ProcessLeaseService } from './process-lease.service.js';
import { ProcessLeasesRepository } from './process-leases.repository.js';

/** How much of the time between two looks counts at most, in milliseconds. */
const LONGEST_GAP_MS = 10_000;

/** For how long a dead process is remembered, in milliseconds: longer than any transaction of its lasts. */
const REMEMBERED_MS = 600_000;

/** Finds processes that died, and what they had reserved (docs/budgets.md#when-a-replica-dies). */
@Injectable()
export class DeadProcessesService {
  private readonly observations = new LeaseObservations(LONGEST_GAP_MS);

  constructor(
    private readonly repository: ProcessLeasesRepository,
    private readonly lease: ProcessLeaseService,
    private readonly logger: ServiceLogger,
  ) {}

  /**
   * Reads the leases of the other processes, and ends those that have not been renewed for the length of a lease while this process was
   * looking: it has to be called every few seconds. Forgets processes that died long ago and have no reservations.
   *
   * @param clock gives milliseconds, and never steps
   * @returns whether there are dead processes
   * @throws the error of the database
   */
  async look(clock: () => number = () => performance.now()): Promise<boolean> {
    const begunAt = clock();
    const stored = await this.repository.leases();
    const versions = new Map(stored.map(({ processId, version }) => [processId, version]));
    const ended = new Set(stored.filter(({ hasEnded }) => hasEnded).map(({ processId }) => processId));
    const own = new Set(this.lease.ownIds);
    const others = [...new Set([...versions.keys(), ...(await this.repository.reserving())])]
      .filter((processId) => !own.has(processId))
      .map((processId) => ({ processId, version: versions.get(processId) ?? null }));
    const observed = this.observations.add(others, begunAt, clock());
    const lost = observed.filter(({ processId, unchangedMs }) => !ended.has(processId) && unchangedMs >= LEASE_MS);
    for (const lease of lost) if (await this.end(lease)) ended.add(lease.processId);
    const old = observed.filter(({ processId, unchangedMs }) => ended.has(processId) && unchangedMs >= REMEMBERED_MS);
    if (old.length > 0) await this.repository.forget(old.map(({ processId }) => processId));
    return others.some(({ processId }) => ended.has(processId));
  }

  /**
   * Reads what dead processes have reserved.
   *
   * @param most the largest number of reservations that are read at a time
   */
  async reservations(most: number): Promise<readonly SpendReservationEntity[]> {
    return this.repository.expired(this.lease.ownIds, most);
  }

  private async end({ processId, version }: UnchangedLease): Promise<boolean> {
    const hasEnded = await this.repository.end(processId, version);
    if (hasEnded) this.logger.event('process taken for dead', { process_id: processId });
    return hasEnded;
  }
}

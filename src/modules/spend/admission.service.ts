import { Injectable } from '@nestjs/common';
import { Batcher, type Outcome } from '../../concurrency/batcher.js';
import { RequestSlots } from '../../http/request-limits/request-slots.js';
import { DatabaseUnreachable } from '../../persistence/database-failures.js';
import { AdmissionBatch } from './admission-batch.js';
import type { Admitted, AdmissionRequest, AmountsOfProcess, RaisedAmounts, Reserving } from './admission-request.js';
import { BlockAdmissions } from './blocks/block-admissions.service.js';
import type { CountedFit } from './counted-decision.js';
import { LimitRefusals } from './limit-refusals.service.js';
import { ProcessLeaseService } from './process-lease.service.js';
import { ReservationsRepository } from './reservations.repository.js';

/** How many requests are admitted in one transaction, which has to end within the time limit of a statement. */
const MAXIMUM_BATCH_SIZE = 200;

/** Reserves what requests may cost at most, so that limits hold however many come at once (docs/budgets.md#reservations). */
@Injectable()
export class AdmissionService {
  private readonly batches: Batcher<Reserving, Admitted | null>;

  constructor(
    private readonly repository: ReservationsRepository,
    private readonly lease: ProcessLeaseService,
    private readonly slots: RequestSlots,
    private readonly refusals: LimitRefusals,
    private readonly blocks: BlockAdmissions,
  ) {
    this.batches = new Batcher((organizationId, requests) => this.decide(organizationId, requests), MAXIMUM_BATCH_SIZE);
  }

  /**
   * Admits a request. Its reservation stays until its record is written.
   *
   * @returns what is reserved, and how long the answer may be
   * @throws the refusal of a limit that is met, InsufficientBudget, and the errors of the database, after which it may be reserved;
   *   also while the lease of this process is over and cannot be renewed
   */
  async admit(request: AdmissionRequest): Promise<CountedFit & AmountsOfProcess> {
    const leasing = this.blocks.leasingOf(request);
    const admitted = await this.batches.run(request.organizationId, { ...request, leasing });
    // Only what is to be raised gives anything else.
    return admitted as CountedFit & AmountsOfProcess;
  }

  /**
   * Reserves more for a request that has a reservation, so that it can be sent to a further provider. What is reserved already stays.
   *
   * @returns what is reserved then; null if what is left of its limits does not pay for it, or if the lease has ended under which it was
   *   admitted, because another process may have charged it and deleted its reservation
   * @throws the errors of the database
   */
  async raise(request: AdmissionRequest, raise: RaisedAmounts): Promise<AmountsOfProcess | null> {
    return this.batches.run(request.organizationId, { ...request, raise });
  }

  private async decide(
    organizationId: string,
    requests: readonly Reserving[],
  ): Promise<readonly Outcome<Admitted | null>[]> {
    return this.slots.run(organizationId, async () => {
      const paid = await this.blocks.admit(organizationId, await this.lease.hold(), requests);
      const others = requests.filter((request) => !paid.has(request));
      const outcomes = others.length === 0 ? [] : await this.decideTogether(organizationId, others);
      const decided = new Map(others.map((request, index) => [request, outcomes[index]!]));
      return requests.map((request) => paid.get(request) ?? decided.get(request)!);
    });
  }

  private async decideTogether(
    organizationId: string,
    requests: readonly Reserving[],
  ): Promise<readonly Outcome<Admitted | null>[]> {
    await this.blocks.giveBack(organizationId, requests);
    const outcomes =
      (await this.decideAs(await this.lease.hold(), organizationId, requests)) ??
      (await this.decideAs(await this.lease.renew(), organizationId, requests));
    if (outcomes === undefined)
      throw new DatabaseUnreachable('the lease of this process has been ended twice in a row');
    return outcomes;
  }

  /** @returns the decisions; undefined if the lease of the process has been ended, and nothing is decided */
  private async decideAs(
    processId: string,
    organizationId: string,
    requests: readonly Reserving[],
  ): Promise<readonly Outcome<Admitted | null>[] | undefined> {
    const batch = new AdmissionBatch(requests, processId, performance.now());
    const inTheWay = await this.repository.reserve(organizationId, processId, batch, true);
    if (inTheWay === undefined) return undefined;
    if (inTheWay.length > 0) {
      await this.blocks.callIn(organizationId, inTheWay);
      if ((await this.repository.reserve(organizationId, processId, batch, false)) === undefined) return undefined;
    }
    this.refusals.note(organizationId, batch.refusing);
    this.blocks.keep(batch.blocks);
    return batch.outcomes;
  }
}

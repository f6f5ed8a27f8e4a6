import { Injectable } from '@nestjs/common';
import { BatchedWork, type Outcome } from '../../limits/batched-work.js';
import { RequestSlots } from '../../limits/request-slots.js';
import { decisionOf } from './admission-decision.js';
import { textOfUnits } from './decimal-amount.js';
import type { ReservedRequest, SpendReservationEntity } from './entities/spend-reservation.entity.js';
import { OpenLimits } from './open-limits.js';
import { ProcessLeaseService } from './process-lease.service.js';
import { ReservationsRepository } from './reservations.repository.js';
import { Spenders, type SpendingRequest } from './spenders.js';
import type { FittingRequest, WorstCase } from './worst-case.js';

/** A request that is to be sent to a provider, and to which a limit applies. */
export interface AdmissionRequest extends SpendingRequest {
  readonly organizationId: string;
  readonly generationId: string;
  readonly worstCase: WorstCase;
  readonly request: ReservedRequest;
}

/** How many requests are admitted in one transaction, which has to end within the time limit of a statement. */
const MAXIMUM_BATCH_SIZE = 200;

/** Reserves what requests may cost at most, so that limits hold however many come at once (docs/budgets.md#reservations). */
@Injectable()
export class AdmissionService {
  private readonly batches: BatchedWork<AdmissionRequest, FittingRequest>;

  constructor(
    private readonly repository: ReservationsRepository,
    private readonly lease: ProcessLeaseService,
    private readonly slots: RequestSlots,
  ) {
    this.batches = new BatchedWork(
      (organizationId, requests) => this.decide(organizationId, requests),
      MAXIMUM_BATCH_SIZE,
    );
  }

  /**
   * Admits a request. Its reservation stays until its record is written.
   *
   * @returns what is reserved, and how long the answer may be
   * @throws the refusal of a limit that is met, InsufficientBudget, and the errors of the database, after which it may be reserved
   */
  async admit(request: AdmissionRequest): Promise<FittingRequest> {
    return this.batches.run(request.organizationId, request);
  }

  private async decide(
    organizationId: string,
    requests: readonly AdmissionRequest[],
  ): Promise<readonly Outcome<FittingRequest>[]> {
    return this.slots.run(organizationId, async () => {
      await this.lease.hold();
      const spenders = new Spenders(requests);
      let outcomes: Outcome<FittingRequest>[] = [];
      await this.repository.reserve(organizationId, spenders.all, ({ limits, reserved }) => {
        const open = new OpenLimits(limits, reserved);
        const reservations: SpendReservationEntity[] = [];
        outcomes = requests.map((request) => {
          const decision = decisionOf(request.worstCase, open.of(spenders.numberOf(request)));
          if (!('fits' in decision)) return { status: 'rejected', reason: decision };
          open.take(spenders.numberOf(request), decision);
          reservations.push(this.reservationOf(request, decision));
          return { status: 'fulfilled', value: decision };
        });
        return reservations;
      });
      return outcomes;
    });
  }

  private reservationOf(
    { organizationId, generationId, keyId, userId, workspaceId, createdAt, request }: AdmissionRequest,
    { amount, byokAmount }: FittingRequest,
  ): SpendReservationEntity {
    return {
      organizationId,
      generationId,
      processId: this.lease.processId,
      keyId,
      userId,
      workspaceId,
      createdAt,
      amountUsd: textOfUnits(amount),
      byokAmountUsd: textOfUnits(byokAmount),
      request,
    };
  }
}

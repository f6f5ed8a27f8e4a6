import { Injectable } from '@nestjs/common';
import { Batcher, type Outcome } from '../../concurrency/batcher.js';
import { RequestSlots } from '../../http/request-limits/request-slots.js';
import { decisionOf } from './admission-decision.js';
import { largerOf, textOfUnits } from './decimal-amount.js';
import type { ReservedRequest, SpendReservationEntity } from './entities/spend-reservation.entity.js';
import { OpenLimits } from './open-limits.js';
import { ProcessLeaseService } from './process-lease.service.js';
import { ReservationsRepository } from './reservations.repository.js';
import { Spenders, type SpendingRequest } from './spenders.js';
import { countedAmount, type FittingRequest, type ReservedAmounts, type WorstCase } from './worst-case.js';

/** A request that is to be sent to a provider, and to which a limit applies. */
export interface AdmissionRequest extends SpendingRequest {
  readonly organizationId: string;
  readonly generationId: string;
  readonly worstCase: WorstCase;
  readonly request: ReservedRequest;
}

/** How a reservation is to grow, because another attempt is to be made. */
export interface RaisedAmounts {
  readonly from: ReservedAmounts;
  readonly to: ReservedAmounts;
}

/** A request whose worst case is to be reserved, or whose reservation is to grow. */
interface Reserving extends AdmissionRequest {
  readonly raise?: RaisedAmounts;
}

/** How many requests are admitted in one transaction, which has to end within the time limit of a statement. */
const MAXIMUM_BATCH_SIZE = 200;

/** Reserves what requests may cost at most, so that limits hold however many come at once (docs/budgets.md#reservations). */
@Injectable()
export class AdmissionService {
  private readonly batches: Batcher<Reserving, ReservedAmounts | FittingRequest | null>;

  constructor(
    private readonly repository: ReservationsRepository,
    private readonly lease: ProcessLeaseService,
    private readonly slots: RequestSlots,
  ) {
    this.batches = new Batcher((organizationId, requests) => this.decide(organizationId, requests), MAXIMUM_BATCH_SIZE);
  }

  /**
   * Admits a request. Its reservation stays until its record is written.
   *
   * @returns what is reserved, and how long the answer may be
   * @throws the refusal of a limit that is met, InsufficientBudget, and the errors of the database, after which it may be reserved
   */
  async admit(request: AdmissionRequest): Promise<FittingRequest> {
    // Only what is to be raised gives anything else.
    return (await this.batches.run(request.organizationId, request)) as FittingRequest;
  }

  /**
   * Reserves more for a request that has a reservation, so that it can be sent to a further provider. What is reserved already stays.
   *
   * @returns what is reserved then; null if what is left of its limits does not pay for it
   * @throws the errors of the database
   */
  async raise(request: AdmissionRequest, raise: RaisedAmounts): Promise<ReservedAmounts | null> {
    return this.batches.run(request.organizationId, { ...request, raise });
  }

  private async decide(
    organizationId: string,
    requests: readonly Reserving[],
  ): Promise<readonly Outcome<ReservedAmounts | null>[]> {
    return this.slots.run(organizationId, async () => {
      await this.lease.hold();
      const spenders = new Spenders(requests);
      let outcomes: Outcome<ReservedAmounts | null>[] = [];
      await this.repository.reserve(organizationId, spenders.all, ({ limits, reserved }) => {
        const open = new OpenLimits(limits, reserved);
        const reservations: SpendReservationEntity[] = [];
        outcomes = requests.map((request) => {
          if (request.raise !== undefined) {
            const raised = raisedAmounts(request.raise, open, spenders.numberOf(request));
            if (raised !== null) reservations.push(this.reservationOf(request, raised));
            return { status: 'fulfilled', value: raised };
          }
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
    { amount, byokAmount }: ReservedAmounts,
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

/** Takes what a reservation grows by from what is left. @returns null if it does not fit one of the limits */
function raisedAmounts({ from, to }: RaisedAmounts, open: OpenLimits, spender: number): ReservedAmounts | null {
  const raised = { amount: largerOf(from.amount, to.amount), byokAmount: largerOf(from.byokAmount, to.byokAmount) };
  const more = { amount: raised.amount - from.amount, byokAmount: raised.byokAmount - from.byokAmount };
  if (open.of(spender).some((limit) => countedAmount(more, limit) > limit.remaining)) return null;
  open.take(spender, more);
  return raised;
}

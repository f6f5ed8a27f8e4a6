import { Injectable } from '@nestjs/common';
import { Batcher, type Outcome } from '../../concurrency/batcher.js';
import { DatabaseUnreachable } from '../../persistence/database-failures.js';
import { RequestSlots } from '../../http/request-limits/request-slots.js';
import { decisionOf } from './admission-decision.js';
import { largerOf, textOfUnits } from './decimal-amount.js';
import type { ReservedRequest, SpendReservationEntity } from './entities/spend-reservation.entity.js';
import type { LimitRow } from './admission-state.repository.js';
import { LimitRefusals } from './limit-refusals.service.js';
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

/** What is reserved for a request, and by which process id: a process whose lease was ended has another one from then on. */
export interface AmountsOfProcess extends ReservedAmounts {
  readonly processId: string;
}

/** How a reservation is to grow, because another attempt is to be made. */
export interface RaisedAmounts {
  readonly from: AmountsOfProcess;
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
  private readonly batches: Batcher<Reserving, AmountsOfProcess | null>;

  constructor(
    private readonly repository: ReservationsRepository,
    private readonly lease: ProcessLeaseService,
    private readonly slots: RequestSlots,
    private readonly refusals: LimitRefusals,
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
  async admit(request: AdmissionRequest): Promise<FittingRequest & AmountsOfProcess> {
    // Only what is to be raised gives anything else.
    return (await this.batches.run(request.organizationId, request)) as FittingRequest & AmountsOfProcess;
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
  ): Promise<readonly Outcome<AmountsOfProcess | null>[]> {
    return this.slots.run(organizationId, async () => {
      const processId = await this.lease.hold();
      const outcomes =
        (await this.decideAs(processId, organizationId, requests)) ??
        (await this.decideAs(await this.lease.renew(), organizationId, requests));
      if (outcomes === undefined)
        throw new DatabaseUnreachable('the lease of this process has been ended twice in a row');
      return outcomes;
    });
  }

  /** @returns the decisions; undefined if the lease of the process has been ended, and nothing is decided */
  private async decideAs(
    processId: string,
    organizationId: string,
    requests: readonly Reserving[],
  ): Promise<readonly Outcome<AmountsOfProcess | null>[] | undefined> {
    const spenders = new Spenders(requests);
    let outcomes: Outcome<AmountsOfProcess | null>[] = [];
    const refusing = new Set<LimitRow>();
    const hasLease = await this.repository.reserve(organizationId, processId, spenders.all, ({ limits, reserved }) => {
      const open = new OpenLimits(limits, reserved);
      refusing.clear();
      outcomes = requests.map((request) =>
        outcomeOf(request, open, spenders.numberOf(request), { processId, refusing }),
      );
      return requests.flatMap((request, index) => reservationOf(request, outcomes[index]!));
    });
    for (const limit of refusing) this.refusals.note(organizationId, limit);
    return hasLease ? outcomes : undefined;
  }
}

/** Decides about a request, and takes what it may cost from what is left. */
function outcomeOf(
  request: Reserving,
  open: OpenLimits,
  spender: number,
  { processId, refusing }: { readonly processId: string; readonly refusing: Set<LimitRow> },
): Outcome<AmountsOfProcess | null> {
  if (request.raise !== undefined) {
    const raised = request.raise.from.processId === processId ? raisedAmounts(request.raise, open, spender) : null;
    return { status: 'fulfilled', value: raised && { ...raised, processId } };
  }
  const decision = decisionOf(request.worstCase, open.of(spender), ({ row }) => refusing.add(row));
  if (!('fits' in decision)) return { status: 'rejected', reason: decision };
  open.take(spender, decision);
  return { status: 'fulfilled', value: { ...decision, processId } };
}

/** The row of a request for which something is reserved; none for one that is refused. */
function reservationOf(
  { organizationId, generationId, keyId, userId, workspaceId, createdAt, request }: AdmissionRequest,
  outcome: Outcome<AmountsOfProcess | null>,
): SpendReservationEntity[] {
  if (outcome.status === 'rejected' || outcome.value === null) return [];
  const { amount, byokAmount, processId } = outcome.value;
  if (amount === 0n && byokAmount === 0n) return [];
  return [
    {
      organizationId,
      generationId,
      processId,
      keyId,
      userId,
      workspaceId,
      createdAt,
      amountUsd: textOfUnits(amount),
      byokAmountUsd: textOfUnits(byokAmount),
      holds: null,
      request,
    },
  ];
}

/** Takes what a reservation grows by from what is left. @returns null if it does not fit one of the limits */
function raisedAmounts({ from, to }: RaisedAmounts, open: OpenLimits, spender: number): ReservedAmounts | null {
  const raised = { amount: largerOf(from.amount, to.amount), byokAmount: largerOf(from.byokAmount, to.byokAmount) };
  const more = { amount: raised.amount - from.amount, byokAmount: raised.byokAmount - from.byokAmount };
  if (open.of(spender).some((limit) => countedAmount(more, limit) > limit.remaining)) return null;
  open.take(spender, more);
  return raised;
}

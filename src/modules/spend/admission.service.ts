import { Injectable } from '@nestjs/common';
import { Batcher, type Outcome } from '../../concurrency/batcher.js';
import { DatabaseUnreachable } from '../../persistence/database-failures.js';
import { RequestSlots } from '../../http/request-limits/request-slots.js';
import type { DomainError } from '../../http/errors/domain-error.js';
import type { AskedCounter } from '../limits/compiled-limit.js';
import type { LimitHold } from '../limits/limit-counters.js';
import { countsByok } from '../limits/limit-vocabulary.js';
import { decisionOf, type ObservingBudget, observingBudgets } from './admission-decision.js';
import { type CountedFit, countedDecisionOf, type RequestCounters } from './counted-decision.js';
import { largerOf, textOfUnits } from './decimal-amount.js';
import type { ReservedRequest, SpendReservationEntity } from './entities/spend-reservation.entity.js';
import { LimitRefusals, type Refusing } from './limit-refusals.service.js';
import { CounterPlaces, type HeldCounter, OpenCounters } from './open-counters.js';
import { type OpenLimit, OpenLimits } from './open-limits.js';
import { ProcessLeaseService } from './process-lease.service.js';
import { type Reservations, ReservationsRepository, type ReservingState } from './reservations.repository.js';
import { Spenders, type SpendingRequest } from './spenders.js';
import { countedAmount, type FittingRequest, isFree, type ReservedAmounts, type WorstCase } from './worst-case.js';

/** A request that is to be sent to a provider, and to which a limit applies. */
export interface AdmissionRequest extends SpendingRequest {
  readonly organizationId: string;
  readonly generationId: string;
  readonly worstCase: WorstCase;
  readonly request: ReservedRequest;
  /** The counters of limits by condition and group that it counts on; absent for none. */
  readonly counters?: RequestCounters;
}

/** What is reserved for a request, and what is held of counters. */
export interface HeldAmounts extends ReservedAmounts {
  readonly holds: readonly HeldCounter[];
}

/** What is reserved for a request, and by which process id: a process whose lease was ended has another one from then on. */
export interface AmountsOfProcess extends HeldAmounts {
  readonly processId: string;
  /** Guardrails that only observe and would not have admitted it so; absent for none. */
  readonly observing?: readonly ObservingBudget[];
}

/** How a reservation is to grow, because another attempt is to be made: each of its holds has its place in both lists. */
export interface RaisedAmounts {
  readonly from: AmountsOfProcess;
  readonly to: HeldAmounts;
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
  async admit(request: AdmissionRequest): Promise<CountedFit & AmountsOfProcess> {
    // Only what is to be raised gives anything else.
    return (await this.batches.run(request.organizationId, request)) as CountedFit & AmountsOfProcess;
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
    const refusing = new Set<Refusing>();
    const places = new CounterPlaces(requests.flatMap(askingsOf));
    const decide = ({ limits, reserved, counters, populations }: ReservingState): Reservations => {
      const open = {
        limits: new OpenLimits(limits, reserved),
        counters: new OpenCounters(places, counters, populations),
      };
      refusing.clear();
      outcomes = requests.map((request) =>
        outcomeOf(request, open, spenders.numberOf(request), { processId, refusing }),
      );
      return {
        reservations: requests.flatMap((request, index) => reservationOf(request, outcomes[index]!)),
        additions: open.counters.additions(new Date()),
        populations: open.counters.newPopulations,
        hasNewCounters: open.counters.hasNew,
      };
    };
    const hasLease = await this.repository.reserve(
      organizationId,
      processId,
      { spenders: spenders.all, places },
      decide,
    );
    this.refusals.note(organizationId, refusing);
    return hasLease ? outcomes : undefined;
  }
}

/** What is left in a batch: of limits, and of counters. */
interface OpenAmounts {
  readonly limits: OpenLimits;
  readonly counters: OpenCounters;
}

/** The counters that a request may need. */
function askingsOf({ keyId, counters, raise }: Reserving): { counter: AskedCounter; keyId: string }[] {
  const asked = raise === undefined ? (counters?.asked ?? []) : raise.to.holds;
  return asked.map(({ counter }) => ({ counter, keyId }));
}

/** Decides about a request, and takes what it may cost from what is left. */
function outcomeOf(
  request: Reserving,
  open: OpenAmounts,
  spender: number,
  { processId, refusing }: { readonly processId: string; readonly refusing: Set<Refusing> },
): Outcome<AmountsOfProcess | null> {
  if (request.raise !== undefined) {
    const raised =
      request.raise.from.processId === processId ? raisedAmounts(request, request.raise, open, spender) : null;
    return { status: 'fulfilled', value: raised && { ...raised, processId } };
  }
  const { worstCase, counters, keyId } = request;
  // What costs nothing passes every limit of spending, and only comes here because it is counted.
  const isUnlimited = counters !== undefined && isFree(worstCase);
  const limits = isUnlimited ? [] : open.limits.enforcedOn(spender);
  const refuses = (limit: OpenLimit | AskedCounter): unknown => refusing.add('row' in limit ? limit.row : limit);
  const decision =
    counters === undefined
      ? uncounted(decisionOf(worstCase, limits, refuses))
      : countedDecisionOf({ worstCase, counters, keyId }, limits, open.counters, refuses);
  if (!('fits' in decision)) return { status: 'rejected', reason: decision };
  const observing = isUnlimited ? [] : observingBudgets(worstCase, open.limits.of(spender));
  open.limits.take(spender, decision);
  for (const { counter, ...amounts } of decision.holds) open.counters.take(counter, keyId, amounts);
  return { status: 'fulfilled', value: { ...decision, processId, ...(observing.length > 0 && { observing }) } };
}

/** A decision about a request that counts on no counter. */
function uncounted(decision: FittingRequest | DomainError): CountedFit | DomainError {
  return 'fits' in decision ? { ...decision, holds: [], observed: [] } : decision;
}

/** The row of a request for which something is reserved; none for one that is refused. */
function reservationOf(
  { organizationId, generationId, keyId, userId, workspaceId, createdAt, request }: AdmissionRequest,
  outcome: Outcome<AmountsOfProcess | null>,
): SpendReservationEntity[] {
  if (outcome.status === 'rejected' || outcome.value === null) return [];
  const { amount, byokAmount, processId, holds } = outcome.value;
  if (amount === 0n && byokAmount === 0n && holds.length === 0) return [];
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
      holds: holds.length === 0 ? null : holds.map(storedHold),
      request,
    },
  ];
}

function storedHold({ counter, amount, byokAmount }: HeldCounter): LimitHold {
  return {
    limitId: counter.limitId,
    combination: counter.combination,
    windowStart: counter.windowStart.toISOString(),
    amount: textOfUnits(amount),
    byokAmount: textOfUnits(byokAmount),
    ...(counter.limit.row.measure === 'concurrent' && { isReleased: true }),
  };
}

/** Takes what a reservation grows by from what is left. @returns null if it does not fit one of the limits */
function raisedAmounts(
  { keyId }: Reserving,
  { from, to }: RaisedAmounts,
  open: OpenAmounts,
  spender: number,
): HeldAmounts | null {
  const raised = largerAmounts(from, to);
  const more = moreThan(from, raised);
  const grown = to.holds.map((hold, index) => ({ ...hold, ...largerAmounts(from.holds[index]!, hold) }));
  const moreHeld = grown.map((hold, index) => ({ counter: hold.counter, amounts: moreThan(from.holds[index]!, hold) }));
  if (open.limits.enforcedOn(spender).some((limit) => countedAmount(more, limit) > limit.remaining)) return null;
  if (moreHeld.some(({ counter, amounts }) => !isRoomFor(counter, amounts, open.counters))) return null;
  open.limits.take(spender, more);
  for (const { counter, amounts } of moreHeld) open.counters.take(counter, keyId, amounts);
  return { ...raised, holds: grown };
}

function largerAmounts(one: ReservedAmounts, other: ReservedAmounts): ReservedAmounts {
  return { amount: largerOf(one.amount, other.amount), byokAmount: largerOf(one.byokAmount, other.byokAmount) };
}

function moreThan(less: ReservedAmounts, more: ReservedAmounts): ReservedAmounts {
  return { amount: more.amount - less.amount, byokAmount: more.byokAmount - less.byokAmount };
}

function isRoomFor({ limit, ...place }: AskedCounter, amounts: ReservedAmounts, open: OpenCounters): boolean {
  const includesByok = countsByok(limit.row);
  const more = countedAmount(amounts, { includesByok });
  return limit.isObserving || more === 0n || more <= open.at(place).remaining(includesByok);
}

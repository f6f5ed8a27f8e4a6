import type { Outcome } from '../../concurrency/batcher.js';
import type { DomainError } from '../../http/errors/domain-error.js';
import type { AskedCounter } from '../limits/compiled-limit.js';
import { countsByok } from '../limits/limit-vocabulary.js';
import { decisionOf, observingBudgets } from './admission-decision.js';
import type { Admitted, RaisedAmounts, Reserving } from './admission-request.js';
import type { Block, HeldAmounts } from './blocks/block.js';
import type { RequestKind } from './blocks/block-book.js';
import type { BlockRow } from './blocks/blocks.repository.js';
import { newBlock } from './blocks/new-block.js';
import { type CountedFit, countedDecisionOf } from './counted-decision.js';
import { largerOf } from './decimal-amount.js';
import type { SpendReservationEntity } from './entities/spend-reservation.entity.js';
import type { Refusing } from './limit-refusals.service.js';
import { type OpenAmounts, openAmountsOf } from './open-amounts.js';
import { CounterPlaces, type OpenCounters } from './open-counters.js';
import type { OpenLimit } from './open-limits.js';
import { reservationOf } from './reservation-rows.js';
import type { Reservations, ReservingState } from './reservations.repository.js';
import { Spenders } from './spenders.js';
import { countedAmount, type FittingRequest, isFree, type ReservedAmounts } from './worst-case.js';

type AdmissionOutcome = Outcome<Admitted | null>;

/** Requests of an organization that are admitted together, while no other process admits any by what is left of limits. */
export class AdmissionBatch {
  readonly spenders: Spenders<Reserving>;
  readonly places: CounterPlaces;
  /** The limits and counters that refuse some of them. */
  readonly refusing = new Set<Refusing>();
  /** The blocks that were made for requests to come. */
  readonly blocks = new Map<RequestKind, Block>();
  private decided: readonly AdmissionOutcome[] = [];

  /** @param at milliseconds on the clock of the process */
  constructor(
    private readonly requests: readonly Reserving[],
    private readonly processId: string,
    private readonly at: number,
  ) {
    this.spenders = new Spenders(requests);
    this.places = new CounterPlaces(requests.flatMap(askingsOf));
  }

  /** What was decided about each request, in their order. */
  get outcomes(): readonly AdmissionOutcome[] {
    return this.decided;
  }

  /** Decides about the requests in the order in which they came, each with what those before it have left. */
  decide(state: ReservingState): Reservations {
    const open = openAmountsOf(state, this.places);
    this.refusing.clear();
    this.decided = this.outcomesOf(open, this.refusing);
    const reservations = this.requests.flatMap((request, index) => this.rowOf(request, this.decided[index]!));
    const ofBlocks = this.makeBlocks(open);
    return {
      reservations: [...reservations, ...ofBlocks],
      additions: open.counters.additions(new Date()),
      populations: open.counters.newPopulations,
      hasNewCounters: open.counters.hasNew,
      isWhole: this.decided.every(isWhole),
    };
  }

  /**
   * The ids of the blocks to give back before anything is decided, because more would be admitted without them. Where that is none, those that
   * are refused are refused for what would be left without blocks.
   */
  blocksInTheWay(state: ReservingState, blocks: readonly BlockRow[]): readonly string[] {
    const open = openAmountsOf(state, this.places);
    const counting = blocks.filter(({ holds, ...reserved }) => {
      const hasMore = [open.limits.giveBack(reserved), open.counters.giveBack(holds ?? [])];
      return hasMore.includes(true);
    });
    if (counting.length === 0) return [];
    const without = this.outcomesOf(open, new Set());
    if (without.some((outcome, index) => isBetter(outcome, this.decided[index]!))) return counting.map(({ id }) => id);
    this.decided = this.decided.map((outcome, index) => (outcome.status === 'rejected' ? without[index]! : outcome));
    return [];
  }

  private outcomesOf(open: OpenAmounts, refusing: Set<Refusing>): AdmissionOutcome[] {
    return this.requests.map((request) => this.outcomeOf(request, open, refusing));
  }

  /** Decides about a request, and takes what it may cost from what is left. */
  private outcomeOf(request: Reserving, open: OpenAmounts, refusing: Set<Refusing>): AdmissionOutcome {
    const { processId } = this;
    const spender = this.spenders.numberOf(request);
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

  /** None where nothing is reserved. */
  private rowOf(request: Reserving, outcome: AdmissionOutcome): SpendReservationEntity[] {
    if (outcome.status === 'rejected' || outcome.value === null) return [];
    const { amount, byokAmount, holds } = outcome.value;
    if (amount === 0n && byokAmount === 0n && holds.length === 0) return [];
    return [reservationOf(request, outcome.value, this.processId)];
  }

  /** Makes a block for each kind of requests of which all were admitted as they are. */
  private makeBlocks(open: OpenAmounts): SpendReservationEntity[] {
    this.blocks.clear();
    const last = new Map<RequestKind, Reserving>();
    const without = new Set<RequestKind>();
    for (const [index, request] of this.requests.entries()) {
      const { leasing } = request;
      if (leasing === undefined) continue;
      if (isWhole(this.decided[index]!)) last.set(leasing.kind, request);
      else without.add(leasing.kind);
    }
    return [...last].flatMap(([kind, request]) => {
      const block = without.has(kind)
        ? undefined
        : newBlock(kind, { request, spender: this.spenders.numberOf(request) }, open, this.at);
      if (block === undefined) return [];
      this.blocks.set(kind, block);
      return [reservationOf({ ...request, generationId: block.id }, block.amounts, this.processId)];
    });
  }
}

/** Whether a request is admitted as it is: to all of its candidates, with its longest answer, and past every limit that only observes. */
function isWhole(outcome: AdmissionOutcome): boolean {
  if (outcome.status === 'rejected' || outcome.value === null) return false;
  const { cappedTokens = null, isForFreeOnly, candidates, observed = [], observing } = outcome.value;
  return (
    cappedTokens === null &&
    isForFreeOnly === undefined &&
    candidates === undefined &&
    observed.length === 0 &&
    observing === undefined
  );
}

/** Whether an outcome admits a request more than another one does. */
function isBetter(outcome: AdmissionOutcome, other: AdmissionOutcome): boolean {
  if (isWhole(other) || outcome.status === 'rejected' || outcome.value === null) return false;
  if (other.status === 'rejected' || other.value === null || isWhole(outcome)) return true;
  const [one, two] = [outcome.value, other.value];
  return (
    (one.cappedTokens ?? Infinity) > (two.cappedTokens ?? Infinity) ||
    (one.candidates?.length ?? Infinity) > (two.candidates?.length ?? Infinity) ||
    (one.isForFreeOnly === undefined && two.isForFreeOnly === true)
  );
}

/** The counters that a request may need. */
function askingsOf({ keyId, counters, raise }: Reserving): { counter: AskedCounter; keyId: string }[] {
  const asked = raise === undefined ? (counters?.asked ?? []) : raise.to.holds;
  return asked.map(({ counter }) => ({ counter, keyId }));
}

/** A decision about a request that counts on no counter. */
function uncounted(decision: FittingRequest | DomainError): CountedFit | DomainError {
  return 'fits' in decision ? { ...decision, holds: [], observed: [] } : decision;
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

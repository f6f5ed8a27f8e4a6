import type { DomainError } from '../../http/errors/domain-error.js';
import type { AskedCounter } from '../limits/compiled-limit.js';
import { countsByok } from '../limits/limit-vocabulary.js';
import { refusingCounterOf, SpendLimitExceeded, UsageLimitExceeded } from '../limits/limits.errors.js';
import { unitsOf } from './decimal-amount.js';
import type { HeldCounter, OpenCounters } from './open-counters.js';
import type { OpenLimit } from './open-limits.js';
import { InsufficientBudget, refusalOf } from './spend.errors.js';
import {
  type CandidatePrice,
  countedAmount,
  decideWorstCase,
  type FittingRequest,
  FOR_FREE_ONLY,
  type RemainingLimit,
  type ReservedAmounts,
  type UnaffordableRequest,
  type WorstCase,
  worstCaseAmounts,
} from './worst-case.js';

/** A counter that a request counts on, and the candidates that it is about. */
export interface RequestedCounter {
  readonly counter: AskedCounter;
  /** By their numbers. */
  readonly candidates: readonly number[];
}

/** The counters of a request, and what each of its candidates may add to them. */
export interface RequestCounters {
  readonly asked: readonly RequestedCounter[];
  /** The cost at each candidate: one price for each of those that may be in force. */
  readonly costs: readonly (readonly CandidatePrice[])[];
  /** The tokens at each candidate, in 1e-18 of a token; empty where no counter counts them. */
  readonly tokens: readonly CandidatePrice[];
  /** Whether a candidate has no price at all. */
  readonly isFree: readonly boolean[];
}

/** A request to which limits by condition and group apply. */
interface CountedRequest {
  readonly worstCase: WorstCase;
  readonly counters: RequestCounters;
  readonly keyId: string;
}

/** A request that fits its limits and counters. */
export interface CountedFit extends FittingRequest {
  /** The numbers of the candidates that may be asked; absent where all may. */
  readonly candidates?: readonly number[];
  readonly holds: readonly HeldCounter[];
  /** The counters of limits that only observe, and would have refused it. */
  readonly observed: readonly AskedCounter[];
}

/** One request of a request, or one that is being answered. */
const ONE_REQUEST: CandidatePrice = { fixed: unitsOf('1'), perToken: 0n, longestAnswer: 0, isByok: false };

/** A counter as a limit of one request. */
class CounterLimit implements RemainingLimit {
  readonly remaining: bigint;
  readonly isMet: boolean;
  readonly includesByok: boolean;
  readonly isZero: boolean;

  constructor(
    readonly counter: AskedCounter,
    readonly candidates: readonly number[],
    private readonly of: RequestCounters,
    open: OpenCounters,
  ) {
    const { row } = counter.limit;
    this.includesByok = countsByok(row);
    const state = open.at(counter);
    this.remaining = state.remaining(this.includesByok);
    this.isMet = row.measure === 'concurrent' ? this.remaining <= 0n : state.limit <= state.used(this.includesByok);
    this.isZero = state.limit === 0n;
  }

  get isOfUsd(): boolean {
    return this.counter.limit.row.measure === 'usd';
  }

  get prices(): readonly CandidatePrice[] {
    return this.candidates.flatMap((index) => pricesAt(this.counter, index, this.of));
  }

  /** This counter, where only some candidates are left; undefined where it is about none of them. */
  among(indexes: ReadonlySet<number>, open: OpenCounters): CounterLimit | undefined {
    const left = this.candidates.filter((index) => indexes.has(index));
    return left.length === 0 ? undefined : new CounterLimit(this.counter, left, this.of, open);
  }

  atOnly(index: number, open: OpenCounters): CounterLimit {
    return new CounterLimit(this.counter, [index], this.of, open);
  }
}

/** What counts toward a counter at a candidate, in its own measure. */
function pricesAt(
  { limit }: AskedCounter,
  index: number,
  { costs, tokens }: RequestCounters,
): readonly CandidatePrice[] {
  switch (limit.row.measure) {
    case 'usd':
      return costs[index]!;
    case 'tokens':
      return [tokens[index]!];
    case 'requests':
    case 'concurrent':
      return [ONE_REQUEST];
  }
}

type AnyLimit = OpenLimit | CounterLimit;

interface Refused {
  readonly limit: AnyLimit;
  readonly shortage?: UnaffordableRequest<AnyLimit>;
}

/**
 * Decides about a request to which limits by condition and group apply, beside others (docs/interface/limits.md#refusals). Limits of
 * candidates take out those that do not fit them, as long as others do; with none left, and for all other limits, a request without
 * `max_tokens` gets the longest answer that fits.
 *
 * @param limits the other limits that apply to it, from the broadest on
 * @param open what is left of its counters
 * @param refuses is told which limit refuses it
 */
export function countedDecisionOf(
  request: CountedRequest,
  limits: readonly OpenLimit[],
  open: OpenCounters,
  refuses?: (limit: OpenLimit | AskedCounter) => void,
): CountedFit | DomainError {
  const { worstCase, counters, keyId } = request;
  const all = counters.isFree.map((_, index) => index);
  const views = counters.asked.map(
    ({ counter, candidates }) => new CounterLimit(open.placeFor(counter, keyId), candidates, counters, open),
  );
  const enforced = views.filter(({ counter }) => !counter.limit.isObserving);
  const decide = (
    indexes: readonly number[],
    of: readonly OpenLimit[],
    by: readonly CounterLimit[],
  ): FittingRequest | Refused => decideAmong(indexes, { worstCase, counters, limits: of, by, open });

  const ofCandidates = enforced.filter(({ counter }) => counter.limit.isOfCandidates);
  const fitting = ofCandidates.length === 0 ? all : fittingCandidates(all, ofCandidates, worstCase, open);
  const chosen = Array.isArray(fitting) ? fitting : [];
  let decided = Array.isArray(fitting) ? decide(chosen, limits, enforced) : fitting;
  let indexes = chosen;
  if ('limit' in decided && isOfUsd(decided.limit)) {
    const free = all.filter((index) => counters.isFree[index] === true);
    const isStopped =
      limits.some(({ row }) => unitsOf(row.limitUsd) === 0n) || enforced.some((one) => one.isOfUsd && one.isZero);
    const others = enforced.filter((one) => !one.isOfUsd);
    if (free.length > 0 && !isStopped) {
      const ofFree = decide(free, [], others);
      indexes = 'limit' in ofFree ? indexes : free;
      decided = 'limit' in ofFree ? ofFree : { ...ofFree, ...FOR_FREE_ONLY, cappedTokens: ofFree.cappedTokens };
    }
  }
  if ('limit' in decided) {
    refuses?.(decided.limit instanceof CounterLimit ? decided.limit.counter : decided.limit);
    return errorOf(decided);
  }
  const { cappedTokens } = decided;
  const asked = new Set(indexes);
  const held = views.flatMap((view) => view.among(asked, open) ?? []);
  const holds = held.map((view) => heldOf(view, worstCase, cappedTokens));
  const observed = held.filter(
    (view, index) => view.counter.limit.isObserving && countedAmount(holds[index]!, view) > view.remaining,
  );
  return {
    ...decided,
    ...(indexes.length < all.length && { candidates: indexes }),
    holds: holds.filter(({ amount, byokAmount }) => amount > 0n || byokAmount > 0n),
    observed: observed.map(({ counter }) => counter),
  };
}

/** The most that a request may add to each of its counters, in their order, with all of its candidates and no shorter answer. */
export function wholeHoldsOf(counters: RequestCounters, { namedTokens }: WorstCase): readonly ReservedAmounts[] {
  return counters.asked.map(({ counter, candidates: indexes }) => {
    const candidates = indexes.flatMap((index) => pricesAt(counter, index, counters));
    return worstCaseAmounts({ candidates, namedTokens });
  });
}

/** What a counter says of a request by itself. Amounts are in 1e-18 of the measure of its limit. */
export interface ForeseenCounter {
  readonly counter: AskedCounter;
  /** The amount of the limit, or of the exception that applies. */
  readonly limit: bigint;
  readonly used: bigint;
  readonly reserved: bigint;
  readonly remaining: bigint;
  /** The most that the request can add. */
  readonly counted: bigint;
  /** What would be decided if there were no other limit, and if this one were enforced. */
  readonly decision: CountedFit | DomainError;
}

/** What each counter of a request says of it by itself. @param open what is left of its counters */
export function foreseenCountersOf(
  { worstCase, counters, keyId }: CountedRequest,
  open: OpenCounters,
): readonly ForeseenCounter[] {
  return counters.asked.map((asked) => {
    const counter = open.placeFor(asked.counter, keyId);
    const view = new CounterLimit(counter, asked.candidates, counters, open);
    const state = open.at(counter);
    const alone = {
      ...counters,
      asked: [{ ...asked, counter: { ...asked.counter, limit: asked.counter.limit.enforced } }],
    };
    return {
      counter,
      limit: state.limit,
      used: state.used(view.includesByok),
      reserved: view.includesByok ? state.reservedWithByok : state.reserved,
      remaining: view.remaining,
      counted: countedAmount(heldOf(view, worstCase, null), view),
      decision: countedDecisionOf({ worstCase, counters: alone, keyId }, [], open),
    };
  });
}

/** The candidates that limits of candidates leave: those that fit whole, else those of which a shorter answer fits; else what refuses. */
function fittingCandidates(
  all: readonly number[],
  by: readonly CounterLimit[],
  { namedTokens }: WorstCase,
  open: OpenCounters,
): number[] | Refused {
  const byCandidate = new Map<number, CounterLimit[]>(all.map((index) => [index, []]));
  for (const one of by) for (const index of one.candidates) byCandidate.get(index)!.push(one.atOnly(index, open));
  const decisions = all.map((index) => {
    const ofThis = byCandidate.get(index)!;
    const met = ofThis.find(({ isMet }) => isMet);
    if (met !== undefined) return { limit: met };
    const decision = decideWorstCase({ candidates: [], namedTokens }, ofThis);
    return decision.fits ? decision : { limit: decision.limit, shortage: decision };
  });
  const whole = all.filter((index) => isWhole(decisions[index]!));
  if (whole.length > 0) return whole;
  const shorter = all.filter((index) => !('limit' in decisions[index]!));
  return shorter.length > 0 ? shorter : (decisions.find((decision) => 'limit' in decision) as Refused);
}

function isWhole(decision: FittingRequest | Refused): boolean {
  return !('limit' in decision) && decision.cappedTokens === null;
}

function decideAmong(
  indexes: readonly number[],
  {
    worstCase,
    counters,
    limits,
    by,
    open,
  }: {
    readonly worstCase: WorstCase;
    readonly counters: RequestCounters;
    readonly limits: readonly OpenLimit[];
    readonly by: readonly CounterLimit[];
    readonly open: OpenCounters;
  },
): FittingRequest | Refused {
  const left = new Set(indexes);
  const among = { ...worstCase, candidates: indexes.flatMap((index) => counters.costs[index]!) };
  const every: readonly AnyLimit[] = [...limits, ...by.flatMap((one) => one.among(left, open) ?? [])];
  const met = every.find(({ isMet }) => isMet);
  if (met !== undefined) return { limit: met };
  const decision = decideWorstCase<AnyLimit>(among, every);
  return decision.fits ? decision : { limit: decision.limit, shortage: decision };
}

function isOfUsd(limit: AnyLimit): boolean {
  return !(limit instanceof CounterLimit) || limit.isOfUsd;
}

/** What a request holds of a counter. @param cappedTokens the longest answer, where it is capped */
function heldOf(view: CounterLimit, { namedTokens }: WorstCase, cappedTokens: number | null): HeldCounter {
  const amounts = worstCaseAmounts({ candidates: view.prices, namedTokens }, cappedTokens ?? Infinity);
  return { counter: view.counter, candidates: view.candidates, ...amounts };
}

function errorOf({ limit, shortage }: Refused): DomainError {
  if (!(limit instanceof CounterLimit)) {
    return shortage === undefined
      ? refusalOf(limit.limit)
      : new InsufficientBudget({ ...shortage, limit: limit.limit });
  }
  if (!limit.isOfUsd) return new UsageLimitExceeded(limit.counter);
  return shortage === undefined
    ? new SpendLimitExceeded(limit.counter)
    : new InsufficientBudget({ ...shortage, limit: refusingCounterOf(limit.counter) });
}

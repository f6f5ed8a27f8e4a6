import { largerOf } from './decimal-amount.js';

/** What a request may cost at one candidate, in the smallest units of a US dollar (`decimal-amount.ts`). */
export interface CandidatePrice {
  /** The part that does not depend on the answer: the price of the request itself, and the most that its prompt can cost. */
  readonly fixed: bigint;
  /** The cost of one answer token, times the number of choices. */
  readonly perToken: bigint;
  /** The longest answer of the candidate, in tokens. */
  readonly longestAnswer: number;
  /** Whether a provider key of the organization is used. */
  readonly isByok: boolean;
}

/** What a request may cost at most. */
export interface WorstCase {
  /** The prices at every candidate that may be tried; at least one. */
  readonly candidates: readonly CandidatePrice[];
  /** The longest answer that the caller wants, in tokens; null where it does not say. */
  readonly namedTokens: number | null;
  /** Whether one of the candidates has no price at all, so that it may be asked when limits do not pay for others. */
  readonly hasFreeCandidate?: boolean;
}

/** What is reserved for a request, in the smallest units of a US dollar. */
export interface ReservedAmounts {
  /** The amount if a provider key of the deployment is used. */
  readonly amount: bigint;
  /** The amount if a provider key of the organization is used. */
  readonly byokAmount: bigint;
}

/** What is left of a limit. */
export interface RemainingLimit {
  /** The amount in the smallest units of a US dollar; below zero where more was spent. */
  readonly remaining: bigint;
  /** Whether usage through provider keys of the organization counts. */
  readonly includesByok: boolean;
  /** What counts toward it at the candidates that it is about, in its own measure; absent where that is the cost at all of them. */
  readonly prices?: readonly CandidatePrice[];
}

/** A request that fits what is left of its limits. */
export interface FittingRequest extends ReservedAmounts {
  readonly fits: true;
  /** The longest answer that fits, in tokens, where the provider must be told; null where the request names its own or any fits. */
  readonly cappedTokens: number | null;
  /** Whether only candidates without a price may be asked, because the limits do not pay for the others; absent where all may. */
  readonly isForFreeOnly?: true;
}

/** What is decided where limits do not pay for a request, but it has candidates without a price: nothing is reserved. */
export const FOR_FREE_ONLY: FittingRequest = {
  fits: true,
  amount: 0n,
  byokAmount: 0n,
  cappedTokens: null,
  isForFreeOnly: true,
};

/** A request that does not fit what is left of a limit. */
export interface UnaffordableRequest<Limit> {
  readonly fits: false;
  readonly limit: Limit;
  /** Tokens of the answer; 0 where a shorter one would cost no less. */
  readonly requestedTokens: number;
  readonly affordableTokens: number;
}

/**
 * Decides whether the worst case of a request fits what is left of each of its limits. A request without `max_tokens` gets
 * the longest answer that fits (docs/budgets.md#the-worst-case).
 */
export function decideWorstCase<Limit extends RemainingLimit>(
  worstCase: WorstCase,
  limits: readonly Limit[],
): FittingRequest | UnaffordableRequest<Limit> {
  const { candidates, namedTokens } = worstCase;
  let tightest: { readonly limit: Limit; readonly tokens: bigint } | undefined;
  for (const limit of limits) {
    for (const candidate of limit.prices ?? candidates) {
      if (candidate.isByok && !limit.includesByok) continue;
      const tokens = affordableTokens(limit, candidate);
      const isEnough = tokens === undefined || tokens >= BigInt(namedTokens ?? candidate.longestAnswer);
      if (!isEnough && (tightest === undefined || tokens < tightest.tokens)) tightest = { limit, tokens };
    }
  }
  if (tightest === undefined) return { fits: true, ...worstCaseAmounts(worstCase), cappedTokens: null };
  const { limit } = tightest;
  // Safe as a Number: `tightest` is only set below a token count that is a Number.
  const affordable = Math.max(0, Number(tightest.tokens));
  if (namedTokens === null && affordable > 0) {
    return { fits: true, ...worstCaseAmounts(worstCase, affordable), cappedTokens: affordable };
  }
  const longest = Math.max(...candidates.map(({ longestAnswer }) => longestAnswer));
  const areTokensPriced = candidates.some(({ perToken }) => perToken > 0n);
  const requestedTokens = areTokensPriced ? (namedTokens ?? longest) : 0;
  return { fits: false, limit, requestedTokens, affordableTokens: affordable };
}

/** What a request may cost at the most expensive candidate of either kind. @param cappedTokens the longest answer, where it is capped */
export function worstCaseAmounts({ candidates, namedTokens }: WorstCase, cappedTokens = Infinity): ReservedAmounts {
  let amount = 0n;
  let byokAmount = 0n;
  for (const candidate of candidates) {
    const cost = costAt(candidate, namedTokens, cappedTokens);
    if (candidate.isByok) byokAmount = largerOf(byokAmount, cost);
    else amount = largerOf(amount, cost);
  }
  return { amount, byokAmount };
}

/** Whether a request costs nothing at every candidate: such a request passes every limit, and nothing is reserved for it. */
export function isFree(worstCase: WorstCase): boolean {
  const { amount, byokAmount } = worstCaseAmounts(worstCase);
  return amount === 0n && byokAmount === 0n;
}

/**
 * What a request may cost at a candidate.
 *
 * @param namedTokens the longest answer that the caller wants; null where it does not say
 * @param cappedTokens the longest answer, where it is capped
 */
export function costAt(candidate: CandidatePrice, namedTokens: number | null, cappedTokens = Infinity): bigint {
  const { fixed, perToken, longestAnswer } = candidate;
  return fixed + perToken * BigInt(namedTokens ?? Math.min(longestAnswer, cappedTokens));
}

/** What a reservation takes from a limit: at most one candidate is charged. */
export function countedAmount(
  { amount, byokAmount }: ReservedAmounts,
  { includesByok }: Pick<RemainingLimit, 'includesByok'>,
): bigint {
  return includesByok ? largerOf(amount, byokAmount) : amount;
}

/**
 * What was used above what was reserved: what was used through provider keys of the organization counts beside the rest where both were.
 *
 * @param reserved undefined where nothing was
 * @returns undefined where nothing is above it
 */
export function overrunOf(
  reserved: ReservedAmounts | undefined,
  { ofDeployment, ofOrganization }: { readonly ofDeployment: bigint; readonly ofOrganization: bigint },
): bigint | undefined {
  if (reserved === undefined) return undefined;
  const bound =
    ofDeployment === 0n
      ? reserved.byokAmount
      : largerOf(reserved.amount, ofOrganization === 0n ? 0n : reserved.byokAmount);
  const overrun = ofDeployment + ofOrganization - bound;
  return overrun > 0n ? overrun : undefined;
}

/** Whether amounts are already among others. */
export function isWithin(needed: ReservedAmounts, reserved: ReservedAmounts): boolean {
  return needed.amount <= reserved.amount && needed.byokAmount <= reserved.byokAmount;
}

/** How many answer tokens a limit pays for: -1 if the limit does not cover the fixed part; undefined if tokens cost nothing. */
function affordableTokens({ remaining }: RemainingLimit, { fixed, perToken }: CandidatePrice): bigint | undefined {
  const left = remaining - fixed;
  if (left < 0n) return -1n;
  return perToken === 0n ? undefined : left / perToken;
}

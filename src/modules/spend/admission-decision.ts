import type { DomainError } from '../../http/errors/domain-error.js';
import type { OpenLimit } from './open-limits.js';
import { InsufficientBudget, refusalOf } from './spend.errors.js';
import { unitsOf } from './decimal-amount.js';
import { decideWorstCase, type FittingRequest, FOR_FREE_ONLY, type WorstCase } from './worst-case.js';

/** A guardrail that only observes, and would not have let a request pass as it did. */
export interface ObservingBudget {
  readonly id: string;
  readonly name: string;
  /** Whether it would have refused; otherwise only candidates without a price would have been left. */
  readonly isRefusing: boolean;
}

/** The observing guardrails among limits whose budgets a request does not fit. */
export function observingBudgets(worstCase: WorstCase, limits: readonly OpenLimit[]): ObservingBudget[] {
  return limits.flatMap((limit) => {
    const { observer, guardrailId } = limit.row;
    if (observer === null || guardrailId === null) return [];
    const decision = decisionOf(worstCase, [limit]);
    const isRefusing = !('fits' in decision);
    return isRefusing || decision.isForFreeOnly === true ? [{ id: guardrailId, name: observer, isRefusing }] : [];
  });
}

/**
 * Decides about a request at its admission (docs/budgets.md#reservations).
 *
 * @param limits those that apply to it, from the broadest on
 * @param refuses is told which of them refuses it
 * @returns what is to be reserved, or what it is refused with: a limit that is met, or InsufficientBudget
 */
export function decisionOf(
  worstCase: WorstCase,
  limits: readonly OpenLimit[],
  refuses?: (limit: OpenLimit) => void,
): FittingRequest | DomainError {
  // A limit can have been met since the request was prepared.
  const met = limits.find(({ isMet }) => isMet);
  const isFreeAllowed = worstCase.hasFreeCandidate === true && !limits.some(({ row }) => unitsOf(row.limitUsd) === 0n);
  const decision = met === undefined ? decideWorstCase(worstCase, limits) : undefined;
  if (decision?.fits === true) return decision;
  if (isFreeAllowed) return FOR_FREE_ONLY;
  refuses?.(decision?.limit ?? met!);
  return decision === undefined
    ? refusalOf(met!.limit)
    : new InsufficientBudget({ ...decision, limit: decision.limit.limit });
}

import type { DomainError } from '../../http/errors/domain-error.js';
import type { OpenLimit } from './open-limits.js';
import { InsufficientBudget, refusalOf } from './spend.errors.js';
import { unitsOf } from './decimal-amount.js';
import { decideWorstCase, type FittingRequest, FOR_FREE_ONLY, type WorstCase } from './worst-case.js';

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

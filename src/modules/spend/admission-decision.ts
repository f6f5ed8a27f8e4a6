import type { DomainError } from '../../http/errors/domain-error.js';
import type { OpenLimit } from './open-limits.js';
import { InsufficientBudget, refusalOf } from './spend.errors.js';
import { decideWorstCase, type FittingRequest, type WorstCase } from './worst-case.js';

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
  if (met !== undefined) {
    refuses?.(met);
    return refusalOf(met.limit);
  }
  const decision = decideWorstCase(worstCase, limits);
  if (!decision.fits) refuses?.(decision.limit);
  return decision.fits ? decision : new InsufficientBudget({ ...decision, limit: decision.limit.limit });
}

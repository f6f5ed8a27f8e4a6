import type { DomainError } from '../../http/errors/domain-error.js';
import type { OpenLimit } from './open-limits.js';
import { InsufficientBudget, refusalOf } from './spend.errors.js';
import { decideWorstCase, type FittingRequest, type WorstCase } from './worst-case.js';

/**
 * Decides about a request at its admission (docs/budgets.md#reservations).
 *
 * @param limits those that apply to it, from the broadest on
 * @returns what is to be reserved, or what it is refused with: a limit that is met, or InsufficientBudget
 */
export function decisionOf(worstCase: WorstCase, limits: readonly OpenLimit[]): FittingRequest | DomainError {
  // A limit can have been met since the request was prepared.
  const met = limits.find(({ isMet }) => isMet);
  if (met !== undefined) return refusalOf(met.limit);
  const decision = decideWorstCase(worstCase, limits);
  return decision.fits ? decision : new InsufficientBudget({ ...decision, limit: decision.limit.limit });
}

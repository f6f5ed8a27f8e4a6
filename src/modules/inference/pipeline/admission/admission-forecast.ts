import type { DomainError } from '../../../../http/errors/domain-error.js';
import type { CountedFit, ForeseenCounter } from '../../../spend/counted-decision.js';
import type { FittingRequest } from '../../../spend/worst-case.js';
import type { ObservingBudget } from '../../../spend/admission-decision.js';
import type { OpenLimit } from '../../../spend/open-limits.js';
import type { Candidate } from '../request/candidate.js';

/** A decision about a request: what would be reserved, or what it would be refused with. */
export type AdmissionDecision = (FittingRequest & Partial<Pick<CountedFit, 'candidates' | 'observed'>>) | DomainError;

/** What a request may cost at the most expensive candidate. */
export interface MostExpensiveCase {
  readonly candidate: Candidate;
  /** The maximum number of tokens of the prompt. */
  readonly promptTokens: number;
  /** The maximum number of tokens of each choice of the answer. */
  readonly answerTokens: number;
  /** The amount in the smallest units of a US dollar (`decimal-amount.ts`). */
  readonly cost: bigint;
}

/** A limit that applies to a request. */
export interface ForeseenLimit {
  readonly open: OpenLimit;
  /** What of the worst case counts toward it, in the smallest units of a US dollar. */
  readonly counted: bigint;
  /** What would be decided if there were no other limit. */
  readonly decision: AdmissionDecision;
}

/** What the admission of a request would decide. */
export interface AdmissionForecast {
  readonly mostExpensive: MostExpensiveCase;
  /** The limits, the broadest first. */
  readonly limits: readonly ForeseenLimit[];
  /** The counters of limits by condition and group that it would count on. */
  readonly counters: readonly ForeseenCounter[];
  /** The guardrails that only observe and would not have admitted it so. */
  readonly observing: readonly ObservingBudget[];
  readonly decision: AdmissionDecision;
}

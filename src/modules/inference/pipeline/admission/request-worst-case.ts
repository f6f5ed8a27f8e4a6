import type { CatalogModel } from '../../../catalog/catalog-model.js';
import type { CandidatePrice, WorstCase } from '../../../spend/worst-case.js';
import { type JudgingWorstCase, withJudging } from '../inspectors/judging-worst-case.js';
import type { Candidate } from '../request/candidate.js';
import type { PricedWishes } from '../cost/price-factors.js';
import { candidatePricesOf, candidateTokensOf } from './candidate-price.js';
import type { PromptBound } from './prompt-tokens.js';
import type { RequestSize } from '../request/request-size.js';

/** What decides about the cost of a request, besides its candidates. */
interface BoundedRequest {
  readonly size: RequestSize;
  readonly wishes: PricedWishes;
  /** When it came. */
  readonly at: Date;
  readonly boundOf: (model: CatalogModel['row']) => PromptBound;
  /** Whether a limit of tokens applies; absent for none. */
  readonly countsTokens?: boolean;
  /** What judge models may cost; absent for nothing. */
  readonly judging?: JudgingWorstCase | undefined;
}

/** What a request may cost at most, also at each candidate by itself. */
export interface RequestWorstCase extends WorstCase {
  /** What it may cost at each candidate without judging, in their order: one price for each of those that may be in force. */
  readonly byCandidate: readonly (readonly CandidatePrice[])[];
  /** The tokens that it may have at each candidate; empty where no limit counts them. */
  readonly tokensByCandidate: readonly CandidatePrice[];
  /** What judge models may cost besides; undefined for nothing. */
  readonly judging: JudgingWorstCase | undefined;
}

/** What a request may cost where only some candidates may be asked. @param indexes of those */
export function worstCaseAmong(worstCase: RequestWorstCase, indexes: readonly number[]): RequestWorstCase {
  const byCandidate = indexes.map((index) => worstCase.byCandidate[index]!);
  const tokensByCandidate = indexes.flatMap((index) => worstCase.tokensByCandidate[index] ?? []);
  const candidates = pricesWithJudging(byCandidate, worstCase.judging).flat();
  return { ...worstCase, candidates, byCandidate, tokensByCandidate };
}

/** What a request may cost at each candidate, together with what judges it. */
export function pricesWithJudging(
  byCandidate: RequestWorstCase['byCandidate'],
  judging: JudgingWorstCase | undefined,
): RequestWorstCase['byCandidate'] {
  return byCandidate.map((prices) => prices.flatMap((price) => withJudging(price, judging)));
}

/**
 * What a request may cost at most (docs/budgets.md#the-worst-case).
 *
 * @param candidates at least one
 * @param request its size, when it came, and what bounds the tokens of its prompt for a model
 */
export function worstCaseOf(
  candidates: readonly Candidate[],
  { size, wishes, at, boundOf, countsTokens = false, judging }: BoundedRequest,
): RequestWorstCase {
  const bounds = new Map(candidates.map(({ model }) => [model, boundOf(model.row)] as const));
  const longestPrompt = Math.max(...[...bounds.values()].map(({ texts, media }) => texts + media));
  const byCandidate = candidates.map((candidate) =>
    candidatePricesOf(candidate, size, bounds.get(candidate.model)!, at, wishes),
  );
  return {
    candidates: pricesWithJudging(byCandidate, judging).flat(),
    byCandidate,
    judging,
    tokensByCandidate: countsTokens
      ? candidates.map((candidate) => candidateTokensOf(candidate, size, bounds.get(candidate.model)!))
      : [],
    namedTokens: size.answer === undefined ? longestPrompt : size.answer.namedTokens,
    // Nothing would be reserved for what judges.
    hasFreeCandidate: judging === undefined && candidates.some(({ endpoint }) => endpoint.hasNoPrice),
  };
}

import type { CatalogModel } from '../../../catalog/catalog-model.js';
import type { CandidatePrice, WorstCase } from '../../../spend/worst-case.js';
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
}

/** What a request may cost at most, also at each candidate by itself. */
export interface RequestWorstCase extends WorstCase {
  /** What it may cost at each candidate, in their order: one price for each of those that may be in force. */
  readonly byCandidate: readonly (readonly CandidatePrice[])[];
  /** The tokens that it may have at each candidate; empty where no limit counts them. */
  readonly tokensByCandidate: readonly CandidatePrice[];
}

/** What a request may cost where only some candidates may be asked. @param indexes of those */
export function worstCaseAmong(worstCase: RequestWorstCase, indexes: readonly number[]): RequestWorstCase {
  const byCandidate = indexes.map((index) => worstCase.byCandidate[index]!);
  const tokensByCandidate = indexes.flatMap((index) => worstCase.tokensByCandidate[index] ?? []);
  return { ...worstCase, candidates: byCandidate.flat(), byCandidate, tokensByCandidate };
}

/**
 * What a request may cost at most (docs/budgets.md#the-worst-case).
 *
 * @param candidates at least one
 * @param request its size, when it came, and what bounds the tokens of its prompt for a model
 */
export function worstCaseOf(
  candidates: readonly Candidate[],
  { size, wishes, at, boundOf, countsTokens = false }: BoundedRequest,
): RequestWorstCase {
  const bounds = new Map(candidates.map(({ model }) => [model, boundOf(model.row)] as const));
  const longestPrompt = Math.max(...[...bounds.values()].map(({ texts, media }) => texts + media));
  const byCandidate = candidates.map((candidate) =>
    candidatePricesOf(candidate, size, bounds.get(candidate.model)!, at, wishes),
  );
  return {
    candidates: byCandidate.flat(),
    byCandidate,
    tokensByCandidate: countsTokens
      ? candidates.map((candidate) => candidateTokensOf(candidate, size, bounds.get(candidate.model)!))
      : [],
    namedTokens: size.answer === undefined ? longestPrompt : size.answer.namedTokens,
    hasFreeCandidate: candidates.some(({ endpoint }) => endpoint.hasNoPrice),
  };
}

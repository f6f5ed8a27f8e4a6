import type { CatalogModel } from '../../catalog/catalog-model.js';
import type { WorstCase } from '../../spend/worst-case.js';
import type { Candidate } from '../attempts/candidate.js';
import { candidatePriceOf } from './candidate-price.js';
import type { PromptBound } from './prompt-tokens.js';
import type { RequestSize } from './request-size.js';

/**
 * What a request may cost at most (docs/budgets.md#the-worst-case).
 *
 * @param candidates at least one
 * @param boundOf bounds the tokens of the prompt for a model
 * @returns the prices in the order of the candidates
 */
export function worstCaseOf(
  candidates: readonly Candidate[],
  size: RequestSize,
  boundOf: (model: CatalogModel['row']) => PromptBound,
): WorstCase {
  const bounds = new Map(candidates.map(({ model }) => [model, boundOf(model.row)] as const));
  const longestPrompt = Math.max(...[...bounds.values()].map(({ texts, media }) => texts + media));
  return {
    candidates: candidates.map((candidate) => candidatePriceOf(candidate, size, bounds.get(candidate.model)!)),
    namedTokens: size.hasAnswer ? size.namedTokens : longestPrompt,
  };
}

import type { WorstCase } from '../../spend/worst-case.js';
import type { Candidate } from '../attempts/candidate.js';
import { candidatePriceOf } from './candidate-price.js';
import type { PromptTokens } from './prompt-tokens.js';
import type { RequestSize } from './request-size.js';

/**
 * What a request may cost at most (docs/budgets.md#the-worst-case).
 *
 * @param candidates at least one
 * @param promptTokens bounds the tokens of the prompt
 * @returns the prices in the order of the candidates
 */
export function worstCaseOf(
  candidates: readonly Candidate[],
  size: RequestSize,
  promptTokens: PromptTokens,
): WorstCase {
  const bounds = new Map(candidates.map(({ model }) => [model, promptTokens.boundOf(model.row.id, size)] as const));
  const longestPrompt = Math.max(...[...bounds.values()].map(({ texts, media }) => texts + media));
  return {
    candidates: candidates.map((candidate) => candidatePriceOf(candidate, size, bounds.get(candidate.model)!)),
    namedTokens: size.hasAnswer ? size.namedTokens : longestPrompt,
  };
}

import type { ModelPricing } from '../../catalog/model-facts.js';
import { largerOf, unitsOf } from '../../spend/decimal-amount.js';
import type { CandidatePrice } from '../../spend/worst-case.js';
import type { Candidate } from '../attempts/candidate.js';
import type { RequestSize } from './request-size.js';

/**
 * What a request may cost at a candidate, at list price.
 *
 * @param promptTokens as many as the prompt has at most; those of vectors are what a caller can have fewer of
 */
export function candidatePriceOf(
  { endpoint: { row }, isByok }: Candidate,
  { images, choices, hasAnswer }: RequestSize,
  promptTokens: number,
): CandidatePrice {
  const { pricing } = row;
  const besides = unitsOf(pricing.request ?? '0') + BigInt(images) * unitsOf(pricing.image ?? '0');
  const perPromptToken = dearestPromptToken(pricing);
  if (!hasAnswer) return { fixed: besides, perToken: perPromptToken, longestAnswer: promptTokens, isByok };
  return {
    fixed: besides + BigInt(promptTokens) * perPromptToken,
    perToken: unitsOf(pricing.completion) * BigInt(choices),
    longestAnswer: Math.min(row.maxCompletionTokens ?? Infinity, row.contextLength),
    isByok,
  };
}

/** A token of the prompt may be read from the cache, or be written to it. */
function dearestPromptToken({ prompt, input_cache_read: read, input_cache_write: write }: ModelPricing): bigint {
  return [read, write].reduce((most, price) => largerOf(most, unitsOf(price ?? '0')), unitsOf(prompt));
}

import { CHARGED_UNITS } from '../../../catalog/own-models/charged-units.js';
import { possiblePrices, type PossiblePrices } from '../../../catalog/price-rules.js';
import type { CandidatePrice } from '../../../spend/worst-case.js';
import { type PricedWishes, pricesAsWished } from '../cost/price-factors.js';
import { highestAnswerTokenPrice, highestPromptTokenPrice, unitPricesOf } from '../cost/unit-prices.js';
import { costOfUnit } from '../cost/units.js';
import type { Candidate } from '../request/candidate.js';
import { unitsOf } from '../../../spend/decimal-amount.js';
import type { PromptBound } from './prompt-tokens.js';
import type { RequestSize } from '../request/request-size.js';

const ONE_TOKEN = unitsOf('1');

/**
 * What a request may cost at a candidate, at list price: by each of the prices that may be in force for it, because which of them are
 * depends on the tokens that its provider will count (docs/interface/inference.md#price-rules).
 *
 * @param candidate the endpoint, and whether a key of the organization is used
 * @param size what is known of the request before it is sent
 * @param bound of the tokens of the prompt; those of vectors are what a caller can have fewer of
 * @param at when the request came
 * @param wishes of the request that cost more
 */
export function candidatePricesOf(
  candidate: Candidate,
  size: RequestSize,
  bound: PromptBound,
  at: Date,
  wishes: PricedWishes = {},
): readonly CandidatePrice[] {
  const { model, endpoint, isByok } = candidate;
  const { row } = endpoint;
  const promptTokens = bound.texts + bound.media;
  // A model that draws may do so unasked.
  const hasImages = size.answer?.hasImages === true || model.row.architecture.output_modalities.includes('image');
  const answer = size.answer && { ...size.answer, hasImages };
  const longestAnswer = longestAnswerOf(candidate, size, bound);
  return possiblePrices(row.pricing, { at, promptTokens }).map((possible) => ({
    longestAnswer,
    isByok,
    ...priceOf(
      { ...possible, prices: pricesAsWished(possible.prices, wishes, candidate) },
      model.author,
      { ...size, answer },
      bound,
    ),
  }));
}

/** The tokens that a request may have at a candidate, in place of its cost: each is a whole unit of `decimal-amount.ts`. */
export function candidateTokensOf(candidate: Candidate, size: RequestSize, bound: PromptBound): CandidatePrice {
  const promptTokens = BigInt(bound.texts + bound.media);
  const { isByok } = candidate;
  const longestAnswer = longestAnswerOf(candidate, size, bound);
  if (size.answer === undefined) return { fixed: 0n, perToken: ONE_TOKEN, longestAnswer, isByok };
  const perToken = ONE_TOKEN * BigInt(size.answer.choices ?? 1);
  return { fixed: promptTokens * ONE_TOKEN, perToken, longestAnswer, isByok };
}

function longestAnswerOf({ endpoint: { row } }: Candidate, { answer }: RequestSize, bound: PromptBound): number {
  if (answer === undefined) return bound.texts + bound.media;
  return Math.min(row.maxCompletionTokens ?? Infinity, row.contextLength);
}

function priceOf(
  { prices: listed, mostPromptTokens }: PossiblePrices,
  author: string,
  size: RequestSize,
  bound: PromptBound,
): Pick<CandidatePrice, 'fixed' | 'perToken'> {
  const { units = {}, recordings = 0, answer, isKeptForAnHour = false } = size;
  const prices = unitPricesOf(listed, author);
  const besides = CHARGED_UNITS.reduce((sum, unit) => sum + costOfUnit(unit, units, prices.units), 0n);
  const hasImages = (units.input_image ?? 0) > 0;
  const ofText = highestPromptTokenPrice(prices, { hasImages: false, hasAudio: false, isKeptForAnHour });
  const ofMedia = highestPromptTokenPrice(prices, { hasImages, hasAudio: recordings > 0, isKeptForAnHour });
  if (answer === undefined) return { fixed: besides, perToken: bound.media > 0 ? ofMedia : ofText };
  // A token of media never costs less than one of a text.
  const media = Math.min(bound.media, mostPromptTokens);
  const texts = Math.min(bound.texts, mostPromptTokens - media);
  const { choices = 1, hasAudio = false, hasImages: drawsImages = false } = answer;
  return {
    fixed:
      besides +
      BigInt(texts) * ofText +
      BigInt(media) * ofMedia +
      costOfUnit('image', { image: drawsImages ? choices : 0 }, prices.units),
    perToken: highestAnswerTokenPrice(prices, { hasImages: drawsImages, hasAudio }) * BigInt(choices),
  };
}

import { possiblePrices, type PossiblePrices } from '../../../catalog/index.js';
import type { CandidatePrice } from '../../../spend/index.js';
import { costOfSeconds } from '../cost/charge-lines.js';
import { type PricedWishes, pricesAsWished } from '../cost/price-factors.js';
import { highestAnswerTokenPrice, highestPromptTokenPrice, unitPricesOf } from '../cost/unit-prices.js';
import type { Candidate } from '../request/candidate.js';
import type { PromptBound } from './prompt-tokens.js';
import type { RequestSize } from '../request/request-size.js';

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
  const answersImages = size.answersImages || model.row.architecture.output_modalities.includes('image');
  const longestAnswer = size.hasAnswer
    ? Math.min(row.maxCompletionTokens ?? Infinity, row.contextLength)
    : promptTokens;
  return possiblePrices(row.pricing, { at, promptTokens }).map((possible) => ({
    longestAnswer,
    isByok,
    ...priceOf(
      { ...possible, prices: pricesAsWished(possible.prices, wishes, candidate) },
      model.author,
      { ...size, answersImages },
      bound,
    ),
  }));
}

function priceOf(
  { prices: listed, mostPromptTokens }: PossiblePrices,
  author: string,
  size: RequestSize,
  bound: PromptBound,
): Pick<CandidatePrice, 'fixed' | 'perToken'> {
  const { requests, images, recordings, choices, hasAnswer, answersWithAudio, answersImages, isKeptForAnHour } = size;
  const seconds = size.recordingLength?.most ?? 0;
  const prices = unitPricesOf(listed, author);
  const besides =
    BigInt(requests) * prices.request +
    BigInt(images) * prices.image +
    BigInt(size.characters ?? 0) * prices.character +
    costOfSeconds(seconds, prices.second);
  const ofText = highestPromptTokenPrice(prices, { hasImages: false, hasAudio: false, isKeptForAnHour });
  const ofMedia = highestPromptTokenPrice(prices, { hasImages: images > 0, hasAudio: recordings > 0, isKeptForAnHour });
  if (!hasAnswer) return { fixed: besides, perToken: bound.media > 0 ? ofMedia : ofText };
  // A token of media never costs less than one of a text.
  const media = Math.min(bound.media, mostPromptTokens);
  const texts = Math.min(bound.texts, mostPromptTokens - media);
  const answerImages = answersImages ? BigInt(choices) * prices.answerImage : 0n;
  return {
    fixed: besides + BigInt(texts) * ofText + BigInt(media) * ofMedia + answerImages,
    perToken:
      highestAnswerTokenPrice(prices, { hasImages: answersImages, hasAudio: answersWithAudio }) * BigInt(choices),
  };
}

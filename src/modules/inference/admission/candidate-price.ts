import type { CandidatePrice } from '../../spend/worst-case.js';
import {
  highestAnswerTokenPrice,
  highestMediaTokenPrice,
  highestTextTokenPrice,
  unitPricesOf,
} from '../answer/unit-prices.js';
import type { Candidate } from '../attempts/candidate.js';
import type { PromptBound } from './prompt-tokens.js';
import type { RequestSize } from './request-size.js';

/**
 * What a request may cost at a candidate, at list price.
 *
 * @param bound of the tokens of the prompt; those of vectors are what a caller can have fewer of
 */
export function candidatePriceOf(
  { endpoint: { row }, isByok }: Candidate,
  size: RequestSize,
  { texts, media }: PromptBound,
): CandidatePrice {
  const { images, recordings, choices, hasAnswer, answersWithAudio, answersImages } = size;
  const prices = unitPricesOf(row.pricing);
  const besides = prices.request + BigInt(images) * prices.image;
  const ofText = highestTextTokenPrice(prices, size.isKeptForAnHour);
  const ofMedia = highestMediaTokenPrice(prices, {
    hasImages: images > 0,
    hasAudio: recordings > 0,
    isKeptForAnHour: size.isKeptForAnHour,
  });
  if (!hasAnswer)
    return { fixed: besides, perToken: media > 0 ? ofMedia : ofText, longestAnswer: texts + media, isByok };
  const answerImages = answersImages ? BigInt(choices) * prices.answerImage : 0n;
  return {
    fixed: besides + BigInt(texts) * ofText + BigInt(media) * ofMedia + answerImages,
    perToken: highestAnswerTokenPrice(prices, answersWithAudio) * BigInt(choices),
    longestAnswer: Math.min(row.maxCompletionTokens ?? Infinity, row.contextLength),
    isByok,
  };
}

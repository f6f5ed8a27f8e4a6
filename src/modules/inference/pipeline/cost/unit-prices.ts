import type { Prices } from '../../../catalog/index.js';
import { largerOf, unitsOf, withoutShare } from '../../../spend/index.js';

/**
 * What an endpoint charges for each unit, in the smallest units of a US dollar (`decimal-amount.ts`). What is reserved and what is
 * charged are both calculated with these (docs/interface/inference.md#cost).
 */
export interface UnitPrices {
  readonly request: bigint;
  /** A character of a text that is spoken. */
  readonly character: bigint;
  /** A second of a recording. */
  readonly second: bigint;
  /** A token of the prompt that has none of the following prices. */
  readonly prompt: bigint;
  /** A token of a recording in the prompt. */
  readonly promptAudio: bigint;
  /** A token of an image in the prompt. */
  readonly promptImage: bigint;
  /** A token that was read from the cache. */
  readonly cacheRead: bigint;
  /** A token of a recording that was read from the cache. */
  readonly cacheReadAudio: bigint;
  /** A token that was written to the cache. */
  readonly cacheWrite: bigint;
  /** A token that was written to the cache to be kept for an hour. */
  readonly cacheWriteForAnHour: bigint;
  /** An image of the prompt, besides its tokens. */
  readonly image: bigint;
  /** A token of the answer that has none of the following prices. */
  readonly answer: bigint;
  readonly reasoning: bigint;
  /** A token of audio in the answer. */
  readonly answerAudio: bigint;
  /** An image of the answer, besides its tokens. */
  readonly answerImage: bigint;
}

/**
 * Reads prices, from which their discount is taken off. A unit without a price of its own costs what it would cost as text.
 *
 * @param pricing those in force, or those that may be
 */
export function unitPricesOf(pricing: Prices): UnitPrices {
  const { discount = 0 } = pricing;
  const priceOf = (amount: string | undefined, otherwise = 0n): bigint =>
    amount === undefined ? otherwise : withoutShare(unitsOf(amount), discount);
  const prompt = priceOf(pricing.prompt);
  const answer = priceOf(pricing.completion);
  const promptAudio = priceOf(pricing.audio, prompt);
  const cacheWrite = priceOf(pricing.input_cache_write, prompt);
  const cacheRead = priceOf(pricing.input_cache_read, prompt);
  return {
    request: priceOf(pricing.request),
    character: priceOf(pricing.character),
    second: priceOf(pricing.second),
    prompt,
    promptAudio,
    promptImage: priceOf(pricing.image_token, prompt),
    cacheRead,
    cacheReadAudio: priceOf(pricing.input_audio_cache, cacheRead),
    cacheWrite,
    cacheWriteForAnHour: priceOf(pricing.input_cache_write_1h, cacheWrite),
    image: priceOf(pricing.image),
    answer,
    reasoning: priceOf(pricing.internal_reasoning, answer),
    // Where only one price of audio is listed, that of the prompt, audio in the answer costs at least as much.
    answerAudio: priceOf(pricing.audio_output, largerOf(answer, promptAudio)),
    answerImage: priceOf(pricing.image_output),
  };
}

/** The properties of a request on which its price depends, besides its plain text. */
export interface PricedMedia {
  readonly hasImages: boolean;
  /** Whether there are recordings, or files in which there may be some. */
  readonly hasAudio: boolean;
  readonly isKeptForAnHour: boolean;
}

/**
 * The most that a token of a text in the prompt costs, which may be read from the cache, or be written to it.
 *
 * @param isKeptForAnHour whether the cache may be asked to keep it for an hour
 */
export function highestTextTokenPrice(prices: UnitPrices, isKeptForAnHour: boolean): bigint {
  const { prompt, cacheRead, cacheWrite, cacheWriteForAnHour } = prices;
  return highestOf([prompt, cacheRead, cacheWrite, ...(isKeptForAnHour ? [cacheWriteForAnHour] : [])]);
}

/** The most that a token of an image, a recording or a file in the prompt costs. */
export function highestMediaTokenPrice(
  prices: UnitPrices,
  { hasImages, hasAudio, isKeptForAnHour }: PricedMedia,
): bigint {
  return highestOf([
    highestTextTokenPrice(prices, isKeptForAnHour),
    ...(hasImages ? [prices.promptImage] : []),
    ...(hasAudio ? [prices.promptAudio, prices.cacheReadAudio] : []),
  ]);
}

/** The most that a token of the answer costs. @param hasAudio whether it may have audio */
export function highestAnswerTokenPrice({ answer, reasoning, answerAudio }: UnitPrices, hasAudio: boolean): bigint {
  return highestOf([answer, reasoning, ...(hasAudio ? [answerAudio] : [])]);
}

function highestOf(prices: readonly bigint[]): bigint {
  return prices.reduce(largerOf, 0n);
}

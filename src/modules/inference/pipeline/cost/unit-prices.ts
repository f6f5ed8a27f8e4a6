import { CHARGED_UNITS, PRICES_OF_UNITS } from '../../../catalog/own-models/charged-units.js';
import type { Prices } from '../../../catalog/price-rules.js';
import { largerOf, unitsOf, withoutShare } from '../../../spend/decimal-amount.js';
import type { PricesOfUnits } from './units.js';

/** What a cache has to do with tokens of a prompt. */
export const PROMPT_SOURCES = ['uncached', 'read', 'written', 'writtenForAnHour'] as const;

export type PromptSource = (typeof PROMPT_SOURCES)[number];

/** What the tokens of a prompt stand for; those of videos and documents count as text. */
export const PROMPT_MEDIA = ['audio', 'image', 'text'] as const;

export type PromptMedium = (typeof PROMPT_MEDIA)[number];

/** What the tokens of an answer stand for. */
export type AnswerKind = 'text' | 'reasoning' | 'audio' | 'image';

/**
 * What an endpoint charges for each unit, in the smallest units of a US dollar (`decimal-amount.ts`). What is reserved and what is
 * charged are both calculated with these (docs/interface/inference.md#cost).
 */
export interface UnitPrices {
  /** What is charged besides tokens. */
  readonly units: PricesOfUnits;
  /** A token of the prompt. */
  readonly prompt: Readonly<Record<PromptSource, Readonly<Record<PromptMedium, bigint>>>>;
  /** A token of the answer. */
  readonly answer: Readonly<Record<AnswerKind, bigint>>;
}

/** The author whose models write to a cache at fixed multiples of the price of the prompt, at whichever provider. */
const CLAUDE_AUTHOR = 'anthropic';

/**
 * Reads prices, from which their discount is taken off. A kind of token without a price of its own costs the most that the list has for what
 * it is: never less than it may cost at the provider, as far as the list says (docs/interface/inference.md#prices-that-are-not-listed).
 *
 * @param pricing those in force, or those that may be
 * @param author of the model
 */
export function unitPricesOf(pricing: Prices, author: string): UnitPrices {
  const { discount = 0 } = pricing;
  const listed = (amount: string | undefined): bigint | undefined =>
    amount === undefined ? undefined : withoutShare(unitsOf(amount), discount);
  const prompt = listed(pricing.prompt) ?? 0n;
  const answer = listed(pricing.completion) ?? 0n;
  const audio = listed(pricing.audio);
  const isClaude = author === CLAUDE_AUTHOR;
  const written = listed(pricing.input_cache_write) ?? (isClaude ? (prompt * 5n) / 4n : prompt);
  const hour = listed(pricing.input_cache_write_1h) ?? (isClaude ? largerOf(written, 2n * prompt) : written);
  const read = listed(pricing.input_cache_read) ?? prompt;
  const image = listed(pricing.image_token);
  const kept = (text: bigint): Readonly<Record<PromptMedium, bigint>> => ({
    text,
    audio: largerOf(text, audio ?? 0n),
    image: largerOf(text, image ?? 0n),
  });
  const reading = kept(read);
  return {
    units: Object.fromEntries(
      CHARGED_UNITS.map((unit) => [unit, listed(pricing[PRICES_OF_UNITS[unit]]) ?? 0n]),
    ) as PricesOfUnits,
    prompt: {
      uncached: { text: prompt, audio: audio ?? prompt, image: image ?? prompt },
      read: { ...reading, audio: listed(pricing.input_audio_cache) ?? reading.audio },
      written: kept(written),
      writtenForAnHour: kept(hour),
    },
    answer: {
      text: answer,
      reasoning: listed(pricing.internal_reasoning) ?? answer,
      // Where only one price of audio is listed, that of the prompt, audio in the answer costs at least as much.
      audio: listed(pricing.audio_output) ?? largerOf(answer, audio ?? 0n),
      image: listed(pricing.image_output_token) ?? answer,
    },
  };
}

/** The kinds of tokens of a prompt that a request may have, besides texts that a cache may keep for a short time. */
export interface PromptKinds {
  readonly hasImages: boolean;
  /** Whether there are recordings, or files in which there may be some. */
  readonly hasAudio: boolean;
  /** Whether the cache may be asked to keep some of it for an hour. */
  readonly isKeptForAnHour: boolean;
}

/** The most that a token of a prompt costs, of every kind that it may be. */
export function highestPromptTokenPrice(
  { prompt }: UnitPrices,
  { hasImages, hasAudio, isKeptForAnHour }: PromptKinds,
): bigint {
  const sources = PROMPT_SOURCES.filter((source) => isKeptForAnHour || source !== 'writtenForAnHour');
  const media = PROMPT_MEDIA.filter((medium) => medium === 'text' || (medium === 'image' ? hasImages : hasAudio));
  return highestOf(sources.flatMap((source) => media.map((medium) => prompt[source][medium])));
}

/** The most that a token of an answer costs. @param media those that it may have besides text and reasoning */
export function highestAnswerTokenPrice(
  { answer }: UnitPrices,
  { hasImages, hasAudio }: Pick<PromptKinds, 'hasImages' | 'hasAudio'>,
): bigint {
  const { text, reasoning, audio, image } = answer;
  return highestOf([text, reasoning, ...(hasAudio ? [audio] : []), ...(hasImages ? [image] : [])]);
}

function highestOf(prices: readonly bigint[]): bigint {
  return prices.reduce(largerOf, 0n);
}

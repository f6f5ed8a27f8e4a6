import type { Prices } from '../../../catalog/index.js';
import { cacheWritesOf, type TokenUsage } from '../../../codecs/index.js';
import { largerOf, textOfUnits } from '../../../spend/index.js';
import { unitPricesOf } from './unit-prices.js';

/** What an answer costs at list price, in US dollars as decimal text. */
export interface Cost {
  readonly total: string;
  readonly prompt: string;
  readonly completion: string;
  /** What the cache saved, below zero where writing to it cost more; null for an answer without cached tokens. */
  readonly cacheDiscount: string | null;
}

/** What costs something besides tokens. */
export interface CountedUnits {
  /** How many times the price of a request is charged. */
  readonly requests: number;
  readonly imagesInPrompt: number;
  readonly imagesInAnswer: number;
  /** The characters of a text that is spoken; absent for none. */
  readonly characters?: number;
  /** The length of a recording in seconds; absent for none. */
  readonly seconds?: number;
}

const ONE_REQUEST: CountedUnits = { requests: 1, imagesInPrompt: 0, imagesInAnswer: 0 };

/**
 * The price of an answer (docs/interface/inference.md#cost). Each token is priced once, by a price of its own where there is one:
 * those that were cached, or written to the cache, and those of audio and images are part of the prompt, those of the reasoning
 * and of audio part of the answer. Nothing is rounded.
 */
export function costOf(usage: TokenUsage, pricing: Prices, units = ONE_REQUEST): Cost {
  const prices = unitPricesOf(pricing);
  const ofPrompt = usage.prompt_tokens_details;
  const cached = BigInt(ofPrompt?.cached_tokens ?? 0);
  const written = BigInt(ofPrompt?.cache_write_tokens ?? 0);
  const writtenTokens = new Tokens(written);
  const writtenForAnHour = writtenTokens.take(BigInt(cacheWritesOf(usage)?.ephemeral_1h_input_tokens ?? 0));
  const uncachedTokens = new Tokens(largerOf(BigInt(usage.prompt_tokens) - cached - written, 0n));
  const audioTokens = BigInt(ofPrompt?.audio_tokens ?? 0);
  const audio = uncachedTokens.take(audioTokens);
  const imageTokens = uncachedTokens.take(BigInt(ofPrompt?.image_tokens ?? 0));
  const cachedTokens = new Tokens(cached);
  const cachedAudio = cachedTokens.take(audioTokens - audio);
  const ofCache =
    cachedTokens.left * prices.cacheRead +
    cachedAudio * prices.cacheReadAudio +
    writtenTokens.left * prices.cacheWrite +
    writtenForAnHour * prices.cacheWriteForAnHour;
  const withoutCache = (cachedTokens.left + written) * prices.prompt + cachedAudio * prices.promptAudio;
  const prompt =
    uncachedTokens.left * prices.prompt +
    audio * prices.promptAudio +
    imageTokens * prices.promptImage +
    ofCache +
    BigInt(units.imagesInPrompt) * prices.image +
    BigInt(units.requests) * prices.request +
    BigInt(units.characters ?? 0) * prices.character +
    costOfSeconds(units.seconds ?? 0, prices.second);
  const answer = new Tokens(BigInt(usage.completion_tokens));
  const reasoning = answer.take(BigInt(usage.completion_tokens_details?.reasoning_tokens ?? 0));
  const answerAudio = answer.take(BigInt(usage.completion_tokens_details?.audio_tokens ?? 0));
  const completion =
    answer.left * prices.answer +
    reasoning * prices.reasoning +
    answerAudio * prices.answerAudio +
    BigInt(units.imagesInAnswer) * prices.answerImage;
  return {
    total: textOfUnits(prompt + completion),
    prompt: textOfUnits(prompt),
    completion: textOfUnits(completion),
    cacheDiscount: cached + written === 0n ? null : textOfUnits(withoutCache - ofCache),
  };
}

/** The price of a recording, by the millisecond. @param price of a second, in the smallest units */
export function costOfSeconds(seconds: number, price: bigint): bigint {
  return (BigInt(Math.ceil(seconds * 1000)) * price) / 1000n;
}

/** The cost of an answer that is not charged. */
export const NO_COST: Cost = { total: '0', prompt: '0', completion: '0', cacheDiscount: null };

/** Tokens that are taken in parts, never more than there are. */
class Tokens {
  constructor(private rest: bigint) {}

  get left(): bigint {
    return this.rest;
  }

  take(tokens: bigint): bigint {
    const taken = tokens < this.rest ? tokens : this.rest;
    this.rest -= taken;
    return taken;
  }
}

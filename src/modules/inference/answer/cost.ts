import type { ModelPricing } from '../../catalog/model-facts.js';
import type { TokenUsage } from '../../providers/chat-completion.js';
import { largerOf, textOfUnits, unitsOf } from '../../spend/decimal-amount.js';

/** What an answer costs at list price, in US dollars as decimal text. */
export interface Cost {
  readonly total: string;
  readonly prompt: string;
  readonly completion: string;
  /** What the cache saved, below zero where writing to it cost more; null for an answer without cached tokens. */
  readonly cacheDiscount: string | null;
}

/**
 * The price of an answer (docs/interface/inference.md#cost). Tokens that were cached, or written to the cache, are part of the
 * prompt and priced once, by a price of their own where there is one. Nothing is rounded.
 */
export function costOf(usage: TokenUsage, pricing: ModelPricing): Cost {
  const cached = BigInt(usage.prompt_tokens_details?.cached_tokens ?? 0);
  const written = BigInt(usage.prompt_tokens_details?.cache_write_tokens ?? 0);
  const plain = largerOf(BigInt(usage.prompt_tokens) - cached - written, 0n);
  const price = unitsOf(pricing.prompt);
  const ofCache =
    cached * unitsOf(pricing.input_cache_read ?? pricing.prompt) +
    written * unitsOf(pricing.input_cache_write ?? pricing.prompt);
  const prompt = plain * price + ofCache + unitsOf(pricing.request ?? '0');
  const completion = BigInt(usage.completion_tokens) * unitsOf(pricing.completion);
  return {
    total: textOfUnits(prompt + completion),
    prompt: textOfUnits(prompt),
    completion: textOfUnits(completion),
    cacheDiscount: cached + written === 0n ? null : textOfUnits((cached + written) * price - ofCache),
  };
}

/** What nothing costs. */
export const NO_COST: Cost = { total: '0', prompt: '0', completion: '0', cacheDiscount: null };

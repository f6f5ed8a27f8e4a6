import type { ModelPricing } from '../../catalog/model-facts.js';
import type { TokenUsage } from '../../providers/chat-completion.js';

/** The decimals of a US dollar that are calculated with: prices of single tokens have up to 12. */
const DECIMALS = 18;

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
  const plain = maximum(BigInt(usage.prompt_tokens) - cached - written, 0n);
  const price = unitsOf(pricing.prompt);
  const ofCache =
    cached * unitsOf(pricing.input_cache_read ?? pricing.prompt) +
    written * unitsOf(pricing.input_cache_write ?? pricing.prompt);
  const prompt = plain * price + ofCache + unitsOf(pricing.request ?? '0');
  const completion = BigInt(usage.completion_tokens) * unitsOf(pricing.completion);
  return {
    total: textOf(prompt + completion),
    prompt: textOf(prompt),
    completion: textOf(completion),
    cacheDiscount: cached + written === 0n ? null : textOf((cached + written) * price - ofCache),
  };
}

/** What nothing costs. */
export const NO_COST: Cost = { total: '0', prompt: '0', completion: '0', cacheDiscount: null };

/** A decimal text as a whole number of the smallest units. Prices that are not known are below zero, and count as nothing. */
function unitsOf(price: string): bigint {
  const match = /^(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,2}))?$/.exec(price);
  if (match === null) return 0n;
  const [, whole = '0', fraction = '', exponent = '0'] = match;
  const shift = DECIMALS - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}

function textOf(units: bigint): string {
  if (units < 0n) return `-${textOf(-units)}`;
  const digits = units.toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  const whole = digits.slice(0, -DECIMALS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function maximum(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

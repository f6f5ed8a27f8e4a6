import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import { textOfUnits } from '../../../spend/decimal-amount.js';
import { chargeLinesOf, type ChargeLine, type CountedUnits } from './charge-lines.js';
import type { UnitPrices } from './unit-prices.js';

/** What an answer costs at list price, in US dollars as decimal text. */
export interface Cost {
  readonly total: string;
  readonly prompt: string;
  readonly completion: string;
  /** What the cache saved, below zero where writing to it cost more; null for an answer without cached tokens. */
  readonly cacheDiscount: string | null;
}

/** The price of an answer: the sum of the lines of its charge (docs/interface/inference.md#cost). Nothing is rounded. */
export function costOf(usage: TokenUsage, prices: UnitPrices, units: CountedUnits = {}): Cost {
  const lines = chargeLinesOf(usage, units, prices);
  const sumOf = (amountOf: (line: ChargeLine) => bigint): bigint =>
    lines.reduce((sum, line) => sum + amountOf(line), 0n);
  const { cached_tokens: read = 0, cache_write_tokens: written = 0 } = usage.prompt_tokens_details ?? {};
  const prompt = sumOf(({ part, cost }) => (part === 'prompt' ? cost : 0n));
  const completion = sumOf(({ part, cost }) => (part === 'completion' ? cost : 0n));
  const saved = sumOf(({ cost, withoutCache = cost }) => withoutCache - cost);
  return {
    total: textOfUnits(prompt + completion),
    prompt: textOfUnits(prompt),
    completion: textOfUnits(completion),
    cacheDiscount: read + written === 0 ? null : textOfUnits(saved),
  };
}

/** The cost of an answer that is not charged. */
export const NO_COST: Cost = { total: '0', prompt: '0', completion: '0', cacheDiscount: null };

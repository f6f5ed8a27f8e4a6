import { textOfUnits, unitsOf } from '../../../spend/decimal-amount.js';
import type { CacheHit } from '../cache/request-cache.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import type { Exchange } from '../request/exchange.js';
import type { RoutedBody } from '../request/operation.js';
import type { AttemptCharge } from './attempt-charge.js';
import { type Cost, NO_COST } from './cost.js';
import { chargeOf } from './usage-charge.js';

const NO_TOKENS = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } as const;

/** What a cached answer is charged: a part of what it would cost now, and no tokens, because none were used. @param percent from 0 to 100 */
export function cachedCharge<Body extends RoutedBody>(
  exchange: Pick<Exchange<Body>, 'operation' | 'request' | 'decision'>,
  { candidate, usage, units }: CacheHit,
  { delivered, imageSizes }: Pick<AnswerOutcome, 'delivered' | 'imageSizes'>,
  percent: number,
): AttemptCharge {
  const asked = chargeOf(exchange, candidate, {
    usage,
    units,
    imageSizes,
    delivered,
    isCancelled: false,
    isWithoutTokens: true,
    finishReason: null,
  });
  const cost = percent === 0 ? NO_COST : partOf(asked.cost, BigInt(percent));
  return { ...asked, usage: NO_TOKENS, cost, isEstimated: false, isCapped: false };
}

function partOf({ total, prompt, completion }: Cost, percent: bigint): Cost {
  const part = (amount: string): string => textOfUnits((unitsOf(amount) * percent) / 100n);
  return { total: part(total), prompt: part(prompt), completion: part(completion), cacheDiscount: null };
}

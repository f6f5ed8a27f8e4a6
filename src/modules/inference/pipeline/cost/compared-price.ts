import { authorOf } from '../../../catalog/model-reference.js';
import type { CatalogEndpoint } from '../../../catalog/catalog-endpoint.js';
import { type PricedRequest, priceInForce, pricesInForce } from '../../../catalog/price-rules.js';
import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import type { CountedUnits } from './charge-lines.js';
import { costOf } from './cost.js';
import { unitPricesOf } from './unit-prices.js';

/** What a request is likely to use: what endpoints charge for it in different units can be compared only so. */
export interface LikelyUse {
  readonly usage: TokenUsage;
  readonly units: CountedUnits;
}

/**
 * What an endpoint is compared by where prices count (docs/interface/inference.md#order), in US dollars: what the likely use costs there, or
 * a token of the prompt and one of the answer together.
 */
export function comparedPrice(
  { modelId, pricing }: CatalogEndpoint['row'],
  request: PricedRequest,
  use: LikelyUse | undefined,
): number {
  if (use === undefined) {
    return priceInForce(pricing, 'prompt', request) + priceInForce(pricing, 'completion', request);
  }
  const prices = unitPricesOf(pricesInForce(pricing, request), authorOf(modelId));
  return Number(costOf(use.usage, prices, use.units).total);
}

/** The likely use of so many tokens and units. @param details of the tokens that have a price of their own */
export function likelyUse(
  prompt: number,
  completion: number,
  units: CountedUnits = {},
  details: Pick<TokenUsage, 'prompt_tokens_details' | 'completion_tokens_details'> = {},
): LikelyUse {
  return {
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...details },
    units,
  };
}

import { fieldsOf } from '../../../http/validation/dto-fields.js';
import { ModelPricing } from '../dto/model-pricing.dto.js';
import { perMillion, perToken } from './price-per-million.js';
import { FIELDS_OF_UNITS } from './charged-units.js';

/** Fields of a list of prices that are no price of a kind of token, or one of plain tokens, or not charged. */
const OTHERS: ReadonlySet<string> = new Set([
  'prompt',
  'completion',
  'web_search',
  'discount',
  'overrides',
  ...FIELDS_OF_UNITS,
]);

/** The prices of kinds of tokens besides plain ones, by their names in the catalog (docs/interface/inference.md#cost). */
export const TOKEN_PRICES: readonly string[] = [...fieldsOf(ModelPricing).keys()].filter((name) => !OTHERS.has(name));

/** US dollars for a million tokens, as decimals, by {@link TOKEN_PRICES}. */
export type TokenPrices = Readonly<Record<string, string>>;

/** Prices of kinds of tokens as the catalog has them. */
export function pricesOfTokens(prices: TokenPrices): Partial<ModelPricing> {
  return Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, perToken(price)]));
}

/** The prices of kinds of tokens that the catalog has. */
export function tokenPricesIn(pricing: ModelPricing): TokenPrices {
  return Object.fromEntries(
    Object.entries(pricing as unknown as Readonly<Record<string, unknown>>).flatMap(([name, price]) => {
      const shown = TOKEN_PRICES.includes(name) && typeof price === 'string' ? perMillion(price) : undefined;
      return shown === undefined ? [] : [[name, shown] as const];
    }),
  );
}

import type { ModelPricing } from '../dto/model-pricing.dto.js';

/**
 * What costs something besides tokens, by the fields in which the catalog has the prices: the one list of units. `image` is one that is
 * drawn, `input_image` one that is sent, and a `request` of rerank a search.
 */
export const PRICES_OF_UNITS = {
  request: 'request',
  second: 'second',
  character: 'character',
  image: 'image_output',
  input_image: 'image',
} as const satisfies Readonly<Record<string, keyof ModelPricing>>;

/** A unit of {@link PRICES_OF_UNITS}. */
export type ChargedUnit = keyof typeof PRICES_OF_UNITS;

export const FIELDS_OF_UNITS: readonly string[] = Object.values(PRICES_OF_UNITS);

/** US dollars for a unit, as decimals. */
export type UnitPrices = Readonly<Partial<Record<ChargedUnit, string>>>;

export const CHARGED_UNITS = Object.keys(PRICES_OF_UNITS) as ChargedUnit[];

/** Whether a text is a price of a unit: US dollars, with up to twelve digits behind the point. */
export function isUnitPrice(text: string): boolean {
  return /^\d{1,9}(?:\.\d{1,12})?$/.test(text);
}

/** Prices of units as the catalog has them. */
export function pricesOfUnits(prices: UnitPrices): Partial<ModelPricing> {
  return Object.fromEntries(
    CHARGED_UNITS.flatMap((unit) => (unit in prices ? [[PRICES_OF_UNITS[unit], prices[unit]]] : [])),
  );
}

/** The prices of units that the catalog has, without those of `0`. */
export function unitPricesIn(pricing: ModelPricing): UnitPrices {
  return Object.fromEntries(
    CHARGED_UNITS.flatMap((unit) => {
      const price = pricing[PRICES_OF_UNITS[unit]];
      return price === undefined || Number(price) === 0 ? [] : [[unit, price]];
    }),
  );
}

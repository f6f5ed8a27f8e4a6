import { fieldsOf } from '../../http/validation/dto-fields.js';
import { ModelPricing, type PricingOverride, UTC_DAYS } from './dto/model-pricing.dto.js';

/** The prices of a list, without the rules by which they change. */
export type Prices = Omit<ModelPricing, 'overrides'>;

/** A price of a list, by its field. */
export type PriceName = Exclude<keyof Prices, 'discount'>;

/** What decides which prices of a list are in force. */
export interface PricedRequest {
  /** When the request came. */
  readonly at: Date;
  readonly promptTokens: number;
}

/** Prices that may be in force for a request, as far as its prompt has no more tokens than these. */
export interface PossiblePrices {
  readonly prices: Prices;
  readonly mostPromptTokens: number;
}

/** The names of prices, and of the share that is taken off them. */
const PRICE_NAMES: ReadonlySet<string> = new Set(
  [...fieldsOf(ModelPricing).keys()].filter((name) => name !== 'overrides'),
);

/** What is no price, or one of what is never charged. */
const UNCHARGED: ReadonlySet<string> = new Set(['discount', 'web_search']);

/** A decimal number that is not below zero. */
const DECIMAL = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** US dollars for a unit: far more than anything costs, so that every sum of costs is a finite number. */
const MAXIMUM_PRICE = 1e12;

/**
 * The prices that are in force for a request: an override whose conditions all apply replaces the prices that it names, the later ones
 * those of the earlier ones (docs/interface/inference.md#price-rules).
 */
export function pricesInForce({ overrides, ...prices }: ModelPricing, request: PricedRequest): Prices {
  const inForce = (overrides ?? []).filter((override) => applies(override, request));
  return inForce.length === 0
    ? prices
    : inForce.reduce<Prices>((before, override) => ({ ...before, ...pricesOf(override) }), prices);
}

/** A price of a list that is in force for a request, without its discount, in US dollars; 0 for none. */
export function priceInForce(pricing: ModelPricing, name: PriceName, request: PricedRequest): number {
  const { discount = 0, ...prices } = pricesInForce(pricing, request);
  return Number(prices[name] ?? 0) * (1 - discount);
}

/**
 * All prices that may be in force for a request whose prompt has at most so many tokens: which of them are is known when its provider
 * has counted it.
 *
 * @returns at least one, the last with all tokens
 */
export function possiblePrices(pricing: ModelPricing, { at, promptTokens }: PricedRequest): readonly PossiblePrices[] {
  const bounds = (pricing.overrides ?? []).map(({ min_prompt_tokens: least = -1 }) => Math.floor(least));
  const below = [...new Set(bounds)].filter((bound) => bound >= 0 && bound < promptTokens);
  return [...below.toSorted((one, other) => one - other), promptTokens].map((mostPromptTokens) => ({
    prices: pricesInForce(pricing, { at, promptTokens: mostPromptTokens }),
    mostPromptTokens,
  }));
}

/**
 * Why requests cannot be charged by a list of prices: one is below zero, as where it varies, not finite, or no number, or it is not known
 * when a rule applies (docs/interface/catalog.md#prices-that-cannot-be-charged).
 *
 * @returns the name of the field with its value, as it is given; undefined if requests can be charged
 */
export function priceFaultOf({ overrides = [], ...prices }: ModelPricing): string | undefined {
  const places = [
    ...Object.entries(prices).map(([name, value]) => ({ place: name, name, value })),
    ...overrides.flatMap((override, index) =>
      Object.entries(override).map(([name, value]: [string, unknown]) => ({
        place: `overrides[${index}].${name}`,
        name,
        value,
      })),
    ),
  ];
  const faulty = places.find(({ name, value }) => value !== undefined && !canBeApplied(name, value));
  return faulty && `${faulty.place} is ${JSON.stringify(faulty.value)}`;
}

/** Whether nothing is ever charged by a list of prices: every price of it, and of its rules, is zero. */
export function hasNoPrice({ overrides = [], ...prices }: ModelPricing): boolean {
  return [prices, ...overrides].every((list) =>
    Object.entries(list).every(([name, value]) => UNCHARGED.has(name) || !PRICE_NAMES.has(name) || Number(value) === 0),
  );
}

function pricesOf(override: PricingOverride): Partial<Prices> {
  return Object.fromEntries(Object.entries(override).filter(([name]) => PRICE_NAMES.has(name)));
}

function applies(override: PricingOverride, { at, promptTokens }: PricedRequest): boolean {
  const { min_prompt_tokens: least = -1, utc_days: days, utc_start: start = 0, utc_end: end = 2_400 } = override;
  const day = UTC_DAYS[at.getUTCDay()]!;
  if (promptTokens <= least || days?.includes(day) === false) return false;
  const now = at.getUTCHours() * 100 + at.getUTCMinutes();
  return start <= end ? now >= start && now < end : now >= start || now < end;
}

function canBeApplied(name: string, value: unknown): boolean {
  switch (name) {
    case 'discount':
      return typeof value === 'number' && value >= 0 && value <= 1;
    case 'min_prompt_tokens':
      return typeof value === 'number';
    case 'utc_start':
    case 'utc_end':
      return isClockNumber(value);
    case 'utc_days':
      return Array.isArray(value) && value.every((day) => UTC_DAYS.some((known) => known === day));
    default:
      // What is not known may be a condition, unless it looks like a price, of something that is not charged.
      return isPrice(value);
  }
}

function isPrice(value: unknown): boolean {
  return typeof value === 'string' && DECIMAL.test(value) && Number(value) >= 0 && Number(value) <= MAXIMUM_PRICE;
}

/** Whether a value is a time of day as a number of the form HHMM, up to the end of the day. */
function isClockNumber(value: unknown): boolean {
  return (
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 2_400 && (value as number) % 100 < 60
  );
}

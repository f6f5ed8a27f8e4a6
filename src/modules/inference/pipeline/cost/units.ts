import { CHARGED_UNITS, type ChargedUnit } from '../../../catalog/own-models/charged-units.js';
import type { ChargedKind } from '../../../generations/generation-details.js';

/** Amounts by their unit; absent is none, of requests one. */
export type Units = Readonly<Partial<Record<ChargedUnit, number>>>;

/** Prices by their unit, in the smallest units of a US dollar. */
export type PricesOfUnits = Readonly<Record<ChargedUnit, bigint>>;

interface UnitDescription {
  /** The part of the cost that it belongs to. */
  readonly part: 'prompt' | 'completion';
  /** The name of its amount in records. */
  readonly recorded: ChargedKind;
  /** Whether the request has so many, where they have a price, whatever is answered: a provider that counts more is charged no more. */
  readonly isOfRequest?: true;
}

/** How the units are charged (docs/interface/inference.md#cost). */
export const UNITS: Readonly<Record<ChargedUnit, UnitDescription>> = {
  input_image: { part: 'prompt', recorded: 'promptImages', isOfRequest: true },
  image: { part: 'completion', recorded: 'completionImages' },
  request: { part: 'prompt', recorded: 'searchUnits' },
  second: { part: 'prompt', recorded: 'audioSeconds', isOfRequest: true },
  character: { part: 'prompt', recorded: 'inputCharacters', isOfRequest: true },
};

/** What the amount of a unit costs, in the smallest units of a US dollar: where it is not whole, by the thousandth. */
export function costOfUnit(unit: ChargedUnit, units: Units, prices: PricesOfUnits): bigint {
  const amount = units[unit] ?? (unit === 'request' ? 1 : 0);
  if (amount === 0) return 0n;
  const price = prices[unit];
  return Number.isInteger(amount) ? BigInt(amount) * price : (BigInt(Math.ceil(amount * 1000)) * price) / 1000n;
}

/** Amounts by the names that records have for them; of requests none where there is one. */
export function recordedUnits(units: Units): Readonly<Partial<Record<ChargedKind, number>>> {
  const amounts = { ...units, request: units.request === 1 ? 0 : units.request };
  return Object.fromEntries(CHARGED_UNITS.map((unit) => [UNITS[unit].recorded, amounts[unit]]));
}

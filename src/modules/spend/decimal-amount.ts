/** The decimals of a US dollar that are calculated with: prices of single tokens have up to 12. */
const DECIMALS = 18;

const ONE = 10n ** BigInt(DECIMALS);

/**
 * A decimal text in US dollars as a whole number of the smallest units that are calculated with, so that sums are exact; what is smaller is
 * cut off. An amount below zero, and a text that is no number, counts as zero: an endpoint with such a price is not asked
 * (`catalog/price-rules.ts`).
 */
export function unitsOf(amount: string): bigint {
  const match = /^(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(amount);
  if (match === null) return 0n;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const shift = DECIMALS - fraction.length + Number(exponent);
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  // Less than a unit, however small.
  if (digits === '' || -shift >= digits.length) return 0n;
  return shift >= 0 ? BigInt(digits) * 10n ** BigInt(shift) : BigInt(digits) / 10n ** BigInt(-shift);
}

/** An amount without a share of it, in whole units; what is smaller is cut off. @param share from 0 to 1 */
export function withoutShare(units: bigint, share: number): bigint {
  return share === 0 ? units : (units * (ONE - unitsOf(String(share)))) / ONE;
}

/** The decimal text, in US dollars, of a whole number of the smallest units. */
export function textOfUnits(units: bigint): string {
  if (units < 0n) return `-${textOfUnits(-units)}`;
  const digits = units.toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  const whole = digits.slice(0, -DECIMALS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The larger of two amounts. */
export function largerOf(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

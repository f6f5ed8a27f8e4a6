/** The decimals of a US dollar that are calculated with: prices of single tokens have up to 12. */
const DECIMALS = 18;

/**
 * A decimal text in US dollars as a whole number of the smallest units that are calculated with, so that sums are exact; what is smaller is
 * cut off. A price below zero is one that varies, and counts as zero.
 */
export function unitsOf(amount: string): bigint {
  const match = /^(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,2}))?$/.exec(amount);
  if (match === null) return 0n;
  const [, whole = '0', fraction = '', exponent = '0'] = match;
  const shift = DECIMALS - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
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

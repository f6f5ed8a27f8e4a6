/** A price for one token has so many more decimal places than the price for a million tokens. */
const MILLION_DIGITS = 6;

/** The form of a price for a million tokens: US dollars, with up to six digits behind the point. */
const PRICE_PER_MILLION = /^\d{1,9}(?:\.\d{1,6})?$/;

/** Whether a text is a price for a million tokens that a model of the operator's own may have. */
export function isPricePerMillion(text: string): boolean {
  return PRICE_PER_MILLION.test(text);
}

/**
 * The price of one token, exactly: only the point is moved.
 *
 * @param price US dollars for a million tokens ({@link isPricePerMillion})
 * @returns US dollars for a token, as the catalog states it
 */
export function perToken(price: string): string {
  const [whole = '', fraction = ''] = price.split('.');
  const digits = whole.padStart(MILLION_DIGITS + 1, '0');
  const point = digits.length - MILLION_DIGITS;
  return trimmed(digits.slice(0, point), digits.slice(point) + fraction);
}

/**
 * The price of a million tokens, exactly.
 *
 * @param price US dollars for a token, as the catalog states it
 * @returns US dollars for a million tokens; undefined for a price that varies or is no plain decimal
 */
export function perMillion(price: string): string | undefined {
  if (!/^\d+(?:\.\d+)?$/.test(price)) return undefined;
  const [whole = '', fraction = ''] = price.split('.');
  const padded = fraction.padEnd(MILLION_DIGITS, '0');
  return trimmed(whole + padded.slice(0, MILLION_DIGITS), padded.slice(MILLION_DIGITS));
}

/** A decimal without zeros that say nothing. */
function trimmed(whole: string, fraction: string): string {
  const [integer, decimals] = [whole.replace(/^0+(?=\d)/, ''), fraction.replace(/0+$/, '')];
  return decimals === '' ? integer : `${integer}.${decimals}`;
}

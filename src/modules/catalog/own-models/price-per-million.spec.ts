import fc from 'fast-check';
import { isPricePerMillion, perMillion, perToken } from './price-per-million.js';

describe('A price for a million tokens', () => {
  it.each([
    ['0', '0'],
    ['1', '0.000001'],
    ['0.15', '0.00000015'],
    ['0.000001', '0.000000000001'],
    ['2.50', '0.0000025'],
    ['0010', '0.00001'],
    ['1000000', '1'],
    ['1234567.25', '1.23456725'],
  ])('of %s dollars is one of %s for a token', (million, token) => {
    expect(perToken(million)).toBe(token);
  });

  it.each(['', '-1', '1e3', '1e400', '.5', '5.', '1,5', 'free', 'NaN', '0.0000001', '1234567890', ' 1', '٣'])(
    'is not %j',
    (text) => {
      expect(isPricePerMillion(text)).toBe(false);
    },
  );

  it('is the same after it was stated for a token', () => {
    fc.assert(
      fc.property(fc.nat(999_999_999), fc.nat(999_999), (whole, fraction) => {
        const decimals = String(fraction).padStart(6, '0').replace(/0+$/, '');
        const price = decimals === '' ? String(whole) : `${whole}.${decimals}`;
        expect(isPricePerMillion(price)).toBe(true);
        expect(perMillion(perToken(price))).toBe(price);
      }),
    );
  });

  it.each([
    ['0.00000125', '1.25'],
    ['3', '3000000'],
    ['0.0000000000001', '0.0000001'],
    ['-1', undefined],
    ['1e-6', undefined],
    ['1e400', undefined],
  ])('is for a token that costs %s: %s', (token, million) => {
    expect(perMillion(token)).toBe(million);
  });
});

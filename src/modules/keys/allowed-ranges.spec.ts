import { areWithin, isAllowedAddress, parseAllowedRange } from './allowed-ranges.js';

describe('parseAllowedRange', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.112.0/20', '203.0.112.0/20'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['::/0', '::/0'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
  ])('writes %s as %s', (text, range) => {
    expect(parseAllowedRange(text)).toEqual({ range });
  });

  it.each([
    '',
    'localhost',
    '203.0.113',
    '203.0.113.256',
    '0313.0.113.7',
    '0xcb007107',
    '203.0.113.7/33',
    '203.0.113.7/032',
    '203.0.113.0/24/24',
    '203.0.113.0/',
    '203.0.113.0/-1',
    ' 203.0.113.7',
    '203.0.113.7:80',
    'fe80::1%eth0',
    '2001:db8::/129',
    '203.0.113.1/24',
    '2001:db8::1/64',
  ])('refuses "%s"', (text) => {
    expect(parseAllowedRange(text)).toEqual({ issue: expect.any(String) as string });
  });

  it('names the range that was probably meant', () => {
    expect(parseAllowedRange('203.0.113.77/28')).toEqual({
      issue: 'has bits beyond its prefix: its range is 203.0.113.64/28',
    });
  });
});

describe('isAllowedAddress', () => {
  const ranges = ['203.0.113.64/28', '2001:db8:1::/48'];

  it.each([
    ['203.0.113.64', true],
    ['203.0.113.79', true],
    ['203.0.113.80', false],
    ['203.0.113.63', false],
    ['::ffff:203.0.113.70', true],
    ['2001:db8:1:ffff::1', true],
    ['2001:db8:2::1', false],
    ['no address', false],
    [null, false],
  ])('says of %s whether the key takes it: %s', (client, expected) => {
    expect(isAllowedAddress(ranges, client)).toBe(expected);
  });

  it('takes every address for a key that is not bound', () => {
    expect(isAllowedAddress(null, null)).toBe(true);
    expect(isAllowedAddress(null, '203.0.113.1')).toBe(true);
  });

  it('takes no IPv4 address for a range of IPv6, nor the other way round', () => {
    expect(isAllowedAddress(['::/0'], '203.0.113.1')).toBe(false);
    expect(isAllowedAddress(['0.0.0.0/0'], '2001:db8::1')).toBe(false);
  });
});

describe('areWithin', () => {
  it.each([
    [['203.0.113.0/24'], ['203.0.112.0/20'], true],
    [['203.0.112.0/20'], ['203.0.113.0/24'], false],
    [['203.0.113.7/32', '2001:db8::1/128'], ['203.0.113.0/24', '2001:db8::/32'], true],
    [['203.0.113.7/32', '198.51.100.1/32'], ['203.0.113.0/24'], false],
    [null, ['0.0.0.0/0'], false],
    [['203.0.113.7/32'], null, true],
    [null, null, true],
  ])('says of %j among %j: %s', (ranges, others, expected) => {
    expect(areWithin(ranges, others)).toBe(expected);
  });
});

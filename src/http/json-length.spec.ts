import { isLongerThan, LARGE_JSON } from './json-length.js';

describe('The length of a JSON text', () => {
  const list = (...texts: string[]): object => ({ data: texts.map((text) => ({ filters: [{ text }] })) });

  it.each<[string, unknown, boolean]>([
    ['a long text', list('x'.repeat(300_000)), true],
    ['many texts', list(...Array<string>(30).fill('x'.repeat(10_000))), true],
    ['many numbers', Array.from({ length: 40_000 }, (_, index) => index / 7), true],
    ['a long name', { ['n'.repeat(300_000)]: 1 }, true],
    ['a shorter text', list('x'.repeat(200_000)), false],
    ['few values', { error: { code: 400 } }, false],
  ])('is known of %s', (_, value, isLong) => {
    expect(isLongerThan(value, LARGE_JSON)).toBe(isLong);
  });
});

import { vectorOf } from './embedding-encoding.js';

/** Base64 of the numbers 1 and 2 as 32-bit floats. */
const ONE_AND_TWO = 'AACAPwAAAEA=';

describe('The vector of an embedding', () => {
  it.each([
    ['numbers', [1, 2]],
    ['base64', ONE_AND_TWO],
  ])('is of either form where the provider chose %s', (_, embedding) => {
    expect(vectorOf({ index: 0, embedding }, 'float')).toEqual([1, 2]);
    expect(vectorOf({ index: 0, embedding }, 'base64')).toBe(ONE_AND_TWO);
  });

  it.each(['', '!!!!!!!!', 'AACA', `${ONE_AND_TWO}x`, 'not a vector'])('is not %p, in either form', (embedding) => {
    for (const format of ['float', 'base64'] as const) {
      expect(() => vectorOf({ index: 0, embedding }, format)).toThrow(expect.objectContaining({ kind: 'invalid' }));
    }
  });

  it('is no list with a number that is none, which JSON could not say', () => {
    const embedding = 'AADAfw==';
    expect(() => vectorOf({ index: 0, embedding }, 'float')).toThrow(expect.objectContaining({ kind: 'invalid' }));
  });
});

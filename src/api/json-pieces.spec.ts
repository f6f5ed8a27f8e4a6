import fc from 'fast-check';
import { isLongerThan, jsonPieces } from './json-pieces.js';

const nested = (depth: number, inner: unknown): unknown => (depth === 0 ? inner : { a: [nested(depth - 1, inner)] });

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index / 7);

describe('The pieces of a JSON text', () => {
  it('make the text of JSON.stringify together, whatever the value is', () => {
    const filler = 'x'.repeat(40_000);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 12 }), fc.jsonValue({ maxDepth: 3 }), (value, other) => {
        const large = [value, filler, { filler, value, list: [filler, [other, filler], value] }, other];
        for (const one of [value, large]) expect([...jsonPieces(one)].join('')).toBe(JSON.stringify(one));
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, unknown]>([
    ['long lists', [numbers(100_000), Array.from({ length: 10_000 }, (_, index) => ({ index, text: 'ä"' })), []]],
    ['lists of long lists', Array.from({ length: 20 }, () => numbers(5_000))],
    ['long objects', Object.fromEntries(numbers(30_000).map((number) => [`name ${number}`, { number }]))],
    [
      'long texts',
      { text: '\\"\n\u2028\u0001'.repeat(50_000), more: ['😀'.repeat(40_000), `x${'😀'.repeat(40_000)}`] },
    ],
    ['long names', { ['n"'.repeat(150_000)]: 1, more: [{ ['ä'.repeat(100_000)]: { a: 'x' } }] }],
    [
      'long names of other characters',
      { ['"😀'.repeat(30_000)]: 1, [`x${'😀'.repeat(30_000)}`]: [{ ['y'.repeat(300_000)]: {} }] },
    ],
    ['halves of characters', ['\ud83d'.repeat(70_000), `x${'\ude00'.repeat(70_000)}`]],
    ['what nests deep', [nested(90, numbers(20_000)), nested(90, 'x'.repeat(100_000)), nested(3, numbers(50_000))]],
    [
      'what is no JSON',
      { a: undefined, list: [undefined, NaN, ...numbers(20_000), undefined], x: 'x'.repeat(100_000) },
    ],
    ['what writes itself', [{ text: 'x'.repeat(100_000), toJSON: () => 'itself' }, new Date(0), 'x'.repeat(40_000)]],
    ['a name that is one of all objects', JSON.parse(`{"__proto__":${JSON.stringify(numbers(20_000))}}`)],
  ])('make the text of JSON.stringify together for %s, and none is long', (_, value) => {
    const pieces = [...jsonPieces(value)];

    expect(pieces.join('') === JSON.stringify(value)).toBe(true);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(250_000);
    expect(pieces.length).toBeGreaterThan(1);
  });

  it('are few for many small values', () => {
    expect([...jsonPieces(nested(90, numbers(100_000)))].length).toBeLessThan(100);
    expect([...jsonPieces(Array.from({ length: 100_000 }, () => [1]))].length).toBeLessThan(100);
  });

  it('are more than one for a value that is longer than it seems to be', () => {
    const list = (...texts: string[]): object => ({ data: texts.map((text) => ({ filters: [{ text }] })) });

    expect(isLongerThan(list('x'.repeat(300_000)), 262_144)).toBe(true);
    expect(isLongerThan(list(...Array<string>(30).fill('x'.repeat(10_000))), 262_144)).toBe(true);
    expect(isLongerThan(list('x'.repeat(200_000)), 262_144)).toBe(false);
    expect(isLongerThan(numbers(40_000), 262_144)).toBe(true);
    expect(isLongerThan({ ['n'.repeat(300_000)]: 1 }, 262_144)).toBe(true);
    expect(isLongerThan({ error: { code: 400 } }, 262_144)).toBe(false);
  });
});

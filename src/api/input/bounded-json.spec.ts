import fc from 'fast-check';
import { LongWork } from '../../concurrency/long-work.js';
import { LoopTurns } from '../../concurrency/loop-turns.js';
import { type BoundedJson, boundedJson, boundedJsonInTurns } from './bounded-json.js';
import { BODY_BOUNDS, exceededBound, type JsonBounds } from './json-bounds.js';

/** So few bytes that nearly every list, object and text is put together. */
const PORTIONS = [1, 3, 16];

const MARK = '\u{feff}';

const PIECES = [
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '"',
  '\\',
  '\\u',
  ' ',
  '\v',
  '1',
  'null',
  '"a"',
  '"ä"',
  '[]',
  '{}',
  MARK,
  '1e400',
];

/** Without the estimate, which is made in another way. */
function resultOf(json: BoundedJson): object {
  return 'value' in json ? { value: json.value } : json;
}

describe('JSON within bounds that is parsed in turns', () => {
  const work = (): LongWork => new LongWork(new LoopTurns(), 'organization');

  async function expectSame(text: string, bounds: JsonBounds): Promise<void> {
    const bytes = Buffer.from(text);
    const expected = resultOf(boundedJson(bytes, bounds));
    for (const portion of PORTIONS) {
      expect(resultOf(await boundedJsonInTurns(bytes, bounds, work(), portion))).toEqual(expected);
    }
  }

  const boundsOf = fc.record({ depth: fc.integer({ min: 1, max: 5 }), values: fc.integer({ min: 1, max: 12 }) });

  it('is refused for the bound that exceededBound names, whatever it is put together of', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...PIECES), { maxLength: 16 }), boundsOf, (pieces, bounds) =>
        expectSame(pieces.join(''), bounds),
      ),
      { numRuns: 3_000 },
    );
  });

  it('is what JSON.parse gives, or refused for the bound that exceededBound names', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 5, noUnicodeString: false }),
        fc.constantFrom('', ' ', '\n '),
        boundsOf,
        (value, space, bounds) => expectSame(JSON.stringify(value, undefined, space), bounds),
      ),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['what is no JSON before the bound', '[1 2,3,4,5,6]', 'values'],
    ['what ends before it has begun', ']]][1,2,3,4,5]', 'values'],
    ['what is no JSON, and within the bounds', '[1 2]', 'syntax'],
    ['text after an escape that is none', '["\\u",[[[[1]]]]]', 'depth'],
    ['text that does not end', '["[[[[', 'syntax'],
    ['a mark within', `[${MARK}]`, 'syntax'],
    ['two marks', `${MARK}${MARK}[]`, 'syntax'],
    ['nothing', '', 'syntax'],
    ['a mark alone', MARK, 'syntax'],
  ])('fails for %s as all at once does', async (_, text, failure) => {
    const bounds = { depth: 3, values: 4 };
    expect(boundedJson(Buffer.from(text), bounds)).toEqual({ failure });
    await expectSame(text, bounds);
  });

  it.each([`${MARK}[1]`, '{"__proto__":[1],"a":1,"a":2}', '[1e400,-0]', '[[],[],[],{}]', '"\\ud800"'])(
    'is parsed where it is %j',
    async (text) => {
      const bounds = { depth: 3, values: 5 };
      expect(boundedJson(Buffer.from(text), bounds)).toHaveProperty('value');
      await expectSame(text, bounds);
    },
  );

  it.each([
    ['values in lists', (count: number) => `[${'1,'.repeat(count - 2)}1]`],
    ['empty lists', (count: number) => `[${'[],'.repeat(count - 2)}[]]`],
    ['fields', (count: number) => `{"a":1${',"a":{}'.repeat(count - 2)}}`],
  ])('holds as many %s as a body may', async (_, textOf) => {
    for (const [count, failure] of [
      [BODY_BOUNDS.values, undefined],
      [BODY_BOUNDS.values + 1, 'values'],
    ] as const) {
      const bytes = Buffer.from(textOf(count));
      expect(exceededBound(bytes, BODY_BOUNDS)).toBe(failure);
      const inTurns = await boundedJsonInTurns(bytes, BODY_BOUNDS, work());
      expect(resultOf(inTurns)).toEqual(resultOf(boundedJson(bytes, BODY_BOUNDS)));
    }
  });

  it('is read where it begins within other bytes', async () => {
    const bytes = new Uint8Array(Buffer.from('xx{"a":[1]}')).subarray(2);
    expect(await boundedJsonInTurns(bytes, BODY_BOUNDS, work(), 1)).toMatchObject({ value: { a: [1] } });
  });

  it.each([
    ['the text, where all is of Latin-1', `["${'a'.repeat(1_000)}"]`, 1_000],
    ['two bytes for each character of a text with others', `["${'a'.repeat(1_000)}ä😀"]`, 2_000],
    ['two bytes for each character of a text with escapes', `["${'a'.repeat(1_000)}\\u4e00"]`, 2_000],
    ['much more than the text, where it holds many values', `[${'[],'.repeat(1_000)}[]]`, 40_000],
  ])('takes memory for %s, whichever way it is parsed', async (_, text, least) => {
    const bytes = Buffer.from(text);
    for (const json of [boundedJson(bytes, BODY_BOUNDS), await boundedJsonInTurns(bytes, BODY_BOUNDS, work(), 64)]) {
      expect(json).toHaveProperty('weight');
      const { weight } = json as { weight: number };
      expect(weight).toBeGreaterThanOrEqual(least);
      expect(weight).toBeLessThan(3 * least);
    }
  });
});

import fc from 'fast-check';
import {
  BODY_BOUNDS,
  exceededBound,
  extentWithin,
  heapBytesOf,
  type JsonBounds,
  type JsonExtent,
  parsedWithin,
} from './json-bounds.js';

const BOUNDS: JsonBounds = { depth: 3, values: 10 };

const UNBOUNDED: JsonBounds = { depth: Infinity, values: Infinity };

function excess(text: string, bounds = BOUNDS): keyof JsonBounds | undefined {
  return exceededBound(text, bounds);
}

/** How many values JSON holds, itself included, by the parser's own word. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, part: unknown) => sum + countOf(part), 1);
}

describe('exceededBound', () => {
  it.each(['', '1', '[[[1]]]', '{"a":{"b":{"c":1}}}', '[[],[],[[]]]', '[1,2,3,4,5,6,7,8,9]', ' [ ] '])(
    'accepts %j',
    (text) => {
      expect(excess(text)).toBeUndefined();
    },
  );

  it.each(['[[[[', '[[[[]]]]', '{"a":{"b":{"c":{}}}}', '[{"a":[{"b":1}]}]', '[[[]],[[[1]]]]'])(
    'reports that %j is nested too deeply, whether it is valid JSON or not',
    (text) => {
      expect(excess(text)).toBe('depth');
    },
  );

  it.each(['"[[[[["', '{"[[[[":"{{{{"}', '"\\"[[[[["', '["\\\\","[[[["]', '"\\\\\\"[[[["', '"\\u005b[[[["'])(
    'ignores brackets inside strings: %j',
    (text) => {
      expect(JSON.parse(text)).toBeDefined();
      expect(excess(text)).toBeUndefined();
    },
  );

  it('continues after a string that ends with an escaped backslash', () => {
    expect(excess('["\\\\",[[[1]]]]')).toBe('depth');
  });

  it.each([
    '[1,2,3]',
    '{"a":1,"b":[2,3]}',
    '[[],{},[1]]',
    '[ [ ] , { } , "a,b" , [ 1 , [ ] ] ]',
    '{"a,b":"[],{}","c":[]}',
    '"a,b"',
    '[]',
    '{}',
    '0',
  ])('counts the values of %j like a parser', (text) => {
    const count = countOf(JSON.parse(text));

    expect(excess(text, { depth: 9, values: count })).toBeUndefined();
    expect(excess(text, { depth: 9, values: count - 1 })).toBe('values');
  });

  it('stops once a bound is exceeded', () => {
    expect(excess(`${'['.repeat(4)}${'"'.repeat(1_000_001)}`)).toBe('depth');
    expect(excess(`[${'1,'.repeat(1_000_000)}`)).toBe('values');
  });
});

describe('extentWithin', () => {
  it('counts what a text holds, unless it exceeds a bound', () => {
    const text = '{"a":[1,"b\\"]"],"c":{}}';

    expect(extentWithin(text, BOUNDS)).toEqual({ values: 5, containers: 3, fields: 2, texts: 3, textLength: 6 });
    expect(extentWithin(text, { ...BOUNDS, values: 4 })).toBe('values');
    expect(extentWithin(text, { ...BOUNDS, depth: 1 })).toBe('depth');
  });

  it('counts the values of any JSON like a parser', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom('', ' ', '\n '), (value, space) => {
        const { values } = extentWithin(JSON.stringify(value, undefined, space), UNBOUNDED) as JsonExtent;
        expect(values).toBe(countOf(value));
      }),
      { numRuns: 1_000 },
    );
  });

  const document = { depth: 9, values: 100, parts: 100, different: 100, fields: 100 };

  it.each([
    ['parts', '[[],{"a":"b"}]', 5],
    ['different', '["a","b","a",{"a":"b"},{"a long name":"a long text"}]', 3],
    ['fields', '[{"a":1,"b":{"a":1,"b":2},"c":1},{"d":1}]', 3],
  ] as const)('counts the %s of %s', (bound, text, count) => {
    expect(extentWithin(text, { ...document, [bound]: count })).toHaveProperty('values');
    expect(extentWithin(text, { ...document, [bound]: count - 1 })).toBe(bound);
  });

  it.each([
    ['values in lists', (count: number) => `[${'1,'.repeat(count - 2)}1]`],
    ['empty lists', (count: number) => `[${'[],'.repeat(count - 2)}[]]`],
    ['fields', (count: number) => `{"a":1${',"a":{}'.repeat(count - 2)}}`],
  ])('admits as many %s as a body may have', (_, textOf) => {
    expect(excess(textOf(BODY_BOUNDS.values), BODY_BOUNDS)).toBeUndefined();
    expect(excess(textOf(BODY_BOUNDS.values + 1), BODY_BOUNDS)).toBe('values');
  });
});

describe('heapBytesOf', () => {
  it.each([
    ['texts of Latin-1', `["${'a'.repeat(1_000)}"]`, 1_000],
    ['texts with other characters', `["${'a'.repeat(1_000)}ä😀"]`, 2_000],
    ['texts with escapes', `["${'a'.repeat(1_000)}\\u4e00"]`, 2_000],
    ['many values', `[${'[],'.repeat(1_000)}[]]`, 40_000],
  ])('estimates what %s take', (_, text, least) => {
    const bytes = heapBytesOf(text, extentWithin(text, UNBOUNDED) as JsonExtent);
    expect(bytes).toBeGreaterThanOrEqual(least);
    expect(bytes).toBeLessThan(3 * least);
  });
});

describe('parsedWithin', () => {
  it('parses what is JSON and within the bounds', () => {
    expect(parsedWithin('{"a":[1]}', BOUNDS)).toEqual({ a: [1] });
    expect(parsedWithin('null', BOUNDS)).toBeNull();
    expect(['[[[[1]]]]', '[1,2,3,4,5,6,7,8,9,10]', '[1', ''].map((text) => parsedWithin(text, BOUNDS))).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });
});

import { exceededBound, type JsonBounds, parsedWithin, valuesWithin } from './json-bounds.js';

const BOUNDS: JsonBounds = { depth: 3, values: 10 };

function excess(text: string, bounds = BOUNDS): 'depth' | 'values' | undefined {
  return exceededBound(Buffer.from(text), bounds);
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

describe('valuesWithin', () => {
  it('counts the values of a text, unless they exceed a bound', () => {
    const text = Buffer.from('{"a":[1,2],"b":{}}');

    expect(valuesWithin(text, BOUNDS)).toBe(5);
    expect(valuesWithin(text, { ...BOUNDS, values: 4 })).toBe('values');
    expect(valuesWithin(text, { ...BOUNDS, depth: 1 })).toBe('depth');
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

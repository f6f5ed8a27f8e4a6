import { MAXIMUM_NESTING, isOfParsableExtent, MAXIMUM_FIELDS, MAXIMUM_PARTS } from './document-extent.js';

const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);

describe('The extent of a document that can be worked with', () => {
  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
    ['both', '[{"a":[', ']}]'],
  ])('ends where %s nest deeper than 200 levels', (_, open, close) => {
    const levels = open.replaceAll(/[^[{]/g, '').length;
    const deepest = Math.floor(MAXIMUM_NESTING / levels);
    expect(isOfParsableExtent(nested(deepest, open, close))).toBe(true);
    expect(isOfParsableExtent(nested(deepest + 1, open, close))).toBe(false);
  });

  it.each([
    ['lists', '[[', '],[', ']]'],
    ['fields', '[{}', ',{"a":1}', ']'],
  ])('ends at two million %s', (_, open, one, close) => {
    const partsOfOne = one.replaceAll(/[^[{:]/g, '').length;
    const parts = (count: number): string => open + one.repeat(count / partsOfOne) + close;
    expect(isOfParsableExtent(parts(MAXIMUM_PARTS - 10))).toBe(true);
    expect(isOfParsableExtent(parts(MAXIMUM_PARTS + 10))).toBe(false);
  });

  it('ends at 20,000 fields of one object, whatever others it contains', () => {
    const fields = (count: number): string => `[{"a":{"b":1}${',"a":{"b":1}'.repeat(count - 1)}},{"a":1}]`;
    expect(isOfParsableExtent(fields(MAXIMUM_FIELDS))).toBe(true);
    expect(isOfParsableExtent(fields(MAXIMUM_FIELDS + 1))).toBe(false);
  });

  it('does not count what stands in texts, wherever their quotation marks are', () => {
    const brackets = '[{:'.repeat(MAXIMUM_PARTS);
    for (const text of [brackets, `\\"${brackets}`, `${brackets}\\\\`, `\\\\\\"${brackets}\\\\\\\\`]) {
      expect(isOfParsableExtent(`["${text}",["${text}"]]`)).toBe(true);
      expect(isOfParsableExtent(`["${text}",${nested(MAXIMUM_NESTING)}]`)).toBe(false);
    }
  });

  it('has any number of texts and numbers', () => {
    expect(isOfParsableExtent(`[${'1,"x",'.repeat(MAXIMUM_PARTS)}1]`)).toBe(true);
  });
});

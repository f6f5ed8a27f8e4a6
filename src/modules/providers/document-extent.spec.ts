import { DEEPEST_NESTING, isOfParsableExtent, MOST_FIELDS, MOST_PARTS } from './document-extent.js';

const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);

describe('The extent of a document that can be worked with', () => {
  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
    ['both', '[{"a":[', ']}]'],
  ])('ends where %s nest deeper than 200 levels', (_, open, close) => {
    const levels = open.replaceAll(/[^[{]/g, '').length;
    const deepest = Math.floor(DEEPEST_NESTING / levels);
    expect(isOfParsableExtent(nested(deepest, open, close))).toBe(true);
    expect(isOfParsableExtent(nested(deepest + 1, open, close))).toBe(false);
  });

  it.each([
    ['lists', '[[', '],[', ']]'],
    ['fields', '[{}', ',{"a":1}', ']'],
  ])('ends at two million %s', (_, open, one, close) => {
    const partsOfOne = one.replaceAll(/[^[{:]/g, '').length;
    const parts = (count: number): string => open + one.repeat(count / partsOfOne) + close;
    expect(isOfParsableExtent(parts(MOST_PARTS - 10))).toBe(true);
    expect(isOfParsableExtent(parts(MOST_PARTS + 10))).toBe(false);
  });

  it('ends at 20,000 fields of one object, whatever others it contains', () => {
    const fields = (count: number): string => `[{"a":{"b":1}${',"a":{"b":1}'.repeat(count - 1)}},{"a":1}]`;
    expect(isOfParsableExtent(fields(MOST_FIELDS))).toBe(true);
    expect(isOfParsableExtent(fields(MOST_FIELDS + 1))).toBe(false);
  });

  it('does not count what stands in texts, wherever their quotation marks are', () => {
    const brackets = '[{:'.repeat(MOST_PARTS);
    for (const text of [brackets, `\\"${brackets}`, `${brackets}\\\\`, `\\\\\\"${brackets}\\\\\\\\`]) {
      expect(isOfParsableExtent(`["${text}",["${text}"]]`)).toBe(true);
      expect(isOfParsableExtent(`["${text}",${nested(DEEPEST_NESTING)}]`)).toBe(false);
    }
  });

  it('has any number of texts and numbers', () => {
    expect(isOfParsableExtent(`[${'1,"x",'.repeat(MOST_PARTS)}1]`)).toBe(true);
  });
});

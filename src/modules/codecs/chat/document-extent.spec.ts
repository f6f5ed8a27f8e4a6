import { DOCUMENT_BOUNDS, isOfParsableExtent } from './document-extent.js';

const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);

describe('The extent of a document that can be worked with', () => {
  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
    ['both', '[{"a":[', ']}]'],
  ])('ends where %s nest deeper than 200 levels', (_, open, close) => {
    const levels = open.replaceAll(/[^[{]/g, '').length;
    const deepest = Math.floor(DOCUMENT_BOUNDS.depth / levels);
    expect(isOfParsableExtent(nested(deepest, open, close))).toBe(true);
    expect(isOfParsableExtent(nested(deepest + 1, open, close))).toBe(false);
  });

  it.each([
    ['a million lists', DOCUMENT_BOUNDS.parts, '[]', 1],
    ['a million objects and fields', DOCUMENT_BOUNDS.parts, '{"a":1}', 2],
    ['a million texts', DOCUMENT_BOUNDS.parts, '"a"', 1],
    ['four million numbers', DOCUMENT_BOUNDS.values, '1', 1],
  ])('ends at %s', (_, bound, one, ofOne) => {
    const holding = (count: number): string =>
      `[${Array<string>(count / ofOne)
        .fill(one)
        .join(',')}]`;
    expect(isOfParsableExtent(holding(bound - 10))).toBe(true);
    expect(isOfParsableExtent(holding(bound + 10))).toBe(false);
  });

  it('ends at 100,000 different names and short texts', () => {
    const texts = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, index) => String(index)));
    expect(isOfParsableExtent(texts(DOCUMENT_BOUNDS.different))).toBe(true);
    expect(isOfParsableExtent(texts(DOCUMENT_BOUNDS.different + 1))).toBe(false);
  });

  it('ends at 20,000 fields of one object, whatever others it contains', () => {
    const fields = (count: number): string => `[{"a":{"b":1}${',"a":{"b":1}'.repeat(count - 1)}},{"a":1}]`;
    expect(isOfParsableExtent(fields(DOCUMENT_BOUNDS.fields))).toBe(true);
    expect(isOfParsableExtent(fields(DOCUMENT_BOUNDS.fields + 1))).toBe(false);
  });

  it('does not count what stands in texts, wherever their quotation marks are', () => {
    const brackets = '[{:'.repeat(DOCUMENT_BOUNDS.parts);
    for (const text of [brackets, `\\"${brackets}`, `${brackets}\\\\`, `\\\\\\"${brackets}\\\\\\\\`]) {
      expect(isOfParsableExtent(`["${text}",["${text}"]]`)).toBe(true);
      expect(isOfParsableExtent(`["${text}",${nested(DOCUMENT_BOUNDS.depth)}]`)).toBe(false);
    }
  });
});

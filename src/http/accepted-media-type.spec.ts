import { preferredMediaType } from './accepted-media-type.js';

const JSON_TYPE = 'application/json';
const CSV = 'text/csv';

describe('the preferred media type', () => {
  it.each([
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['text/csv', CSV],
    ['TEXT/CSV; charset=utf-8', CSV],
    ['text/*', CSV],
    ['text/csv, */*', CSV],
    ['*/*, text/csv', CSV],
    ['application/json, text/csv', JSON_TYPE],
    ['text/csv, application/json', CSV],
    ['application/json;q=0.5, text/csv', CSV],
    ['application/json, text/csv;q=0.9', JSON_TYPE],
    ['text/csv;q=0', JSON_TYPE],
    ['text/csv;q=0, text/*', JSON_TYPE],
    ['text/csv;q=2', JSON_TYPE],
    ['text/html, application/xhtml+xml', JSON_TYPE],
    [',;/, q=1', JSON_TYPE],
  ])('of the header %p is %s', (accept, expected) => {
    expect(preferredMediaType(accept, [JSON_TYPE, CSV])).toBe(expected);
  });
});

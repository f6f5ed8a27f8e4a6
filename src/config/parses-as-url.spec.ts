import { parsesAsUrl } from './parses-as-url.js';

describe('parsesAsUrl', () => {
  it('says the same of a text however often it is asked, also of one with characters of Latin-1', () => {
    const softHyphen = 'https://ex\u00adample.com/v1/traces';
    const answers = new Set(Array.from({ length: 300_000 }, () => parsesAsUrl(softHyphen)));
    expect([...answers]).toEqual([true]);
  });

  it.each(['', 'example.com', 'https://', 'https://a b/'])('says no of %j', (text) => {
    expect(parsesAsUrl(text)).toBe(false);
  });
});

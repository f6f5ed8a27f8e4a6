import { jsonText } from './json-text.js';

describe('a value as JSON', () => {
  it('has no half of a character, and leaves whole ones and backslashes', () => {
    const value = { 'a\ud800': ['\udfff', '🙂', '\\ud800', '\\\\\ud83d'] };
    expect(JSON.parse(jsonText(value)!)).toEqual({ 'a\ufffd': ['\ufffd', '🙂', '\\ud800', '\\\\\ufffd'] });
  });

  it('is none where JSON cannot express it', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    let nested: unknown = [];
    for (let level = 0; level < 100_000; level += 1) nested = [nested];
    expect([circle, nested, 1n, undefined].map(jsonText)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('takes time in proportion to its length', () => {
    expect(jsonText(`${'\\'.repeat(1_000_000)}\ud800`)).toHaveLength(2_000_008);
  });
});

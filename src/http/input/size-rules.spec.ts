import fc from 'fast-check';
import { jsonSize } from './size-rules.js';

describe('the JSON size of a value', () => {
  it('is the number of bytes that JSON.stringify makes of it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.string({ unit: 'binary' }), (value, text) => {
        const whole = { value, [text]: text };
        expect(jsonSize(whole)).toBe(Buffer.byteLength(JSON.stringify(whole)));
      }),
    );
  });

  it('is computed for values nested deeper than the call stack', () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];

    expect(jsonSize(nested)).toBe(200_001);
  });
});

import fc from 'fast-check';
import { jsonSize } from './json-size.js';

describe('the size of a value in JSON', () => {
  it('is the number of bytes that JSON.stringify makes of it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.string({ unit: 'binary' }), (value, text) => {
        const whole = { value, [text]: text };
        expect(jsonSize(whole)).toBe(Buffer.byteLength(JSON.stringify(whole)));
      }),
    );
  });

  it('is told of what is nested deeper than the stack reaches', () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];

    expect(jsonSize(nested)).toBe(200_001);
  });
});

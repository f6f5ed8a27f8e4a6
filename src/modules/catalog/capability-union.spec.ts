import { type Capabilities, uniteCapabilities } from './capability-union.js';

describe('uniteCapabilities', () => {
  it('is empty for no endpoints, and for endpoints without capabilities', () => {
    expect(uniteCapabilities([])).toEqual({});
    expect(uniteCapabilities([{}, {}])).toEqual({});
  });

  it('is the capabilities of a single endpoint', () => {
    const endpoint: Capabilities = {
      size: { type: 'enum', values: ['2K', '1K', '2K'] },
      n: { type: 'range', min: 1, max: 10 },
      seed: { type: 'boolean' },
    };

    expect(uniteCapabilities([endpoint])).toEqual(endpoint);
  });

  it('has the parameters of every endpoint, in the order in which they first appear', () => {
    const united = uniteCapabilities([
      { seed: { type: 'boolean' }, n: { type: 'range', min: 1, max: 2 } },
      { size: { type: 'enum', values: ['1K'] }, seed: { type: 'boolean' } },
      { n: { type: 'range', min: 1, max: 2 }, background: { type: 'boolean' } },
    ]);

    expect(Object.keys(united)).toEqual(['seed', 'n', 'size', 'background']);
  });

  it('unites the values of an enum in the order in which they first appear', () => {
    const united = uniteCapabilities([
      { size: { type: 'enum', values: ['b', 'a'] } },
      { size: { type: 'enum', values: ['c', 'a', 'd'] } },
      { size: { type: 'enum', values: ['b', 'e'] } },
    ]);

    expect(united).toEqual({ size: { type: 'enum', values: ['b', 'a', 'c', 'd', 'e'] } });
  });

  it('takes the smallest minimum and the largest maximum of a range', () => {
    const united = uniteCapabilities([
      { n: { type: 'range', min: 2, max: 4 } },
      { n: { type: 'range', min: -1, max: 3.5 } },
      { n: { type: 'range', min: 0, max: 10 } },
    ]);

    expect(united).toEqual({ n: { type: 'range', min: -1, max: 10 } });
  });

  it('has a boolean when any endpoint has it', () => {
    expect(uniteCapabilities([{}, { seed: { type: 'boolean' } }, {}])).toEqual({ seed: { type: 'boolean' } });
  });

  it('keeps the first type of a parameter when endpoints disagree', () => {
    const one: Capabilities = { n: { type: 'range', min: 1, max: 2 } };
    const other: Capabilities = { n: { type: 'enum', values: ['1', '5'] } };

    expect(uniteCapabilities([one, other, { n: { type: 'range', min: 0, max: 1 } }])).toEqual({
      n: { type: 'range', min: 0, max: 2 },
    });
    expect(uniteCapabilities([other, one])).toEqual(other);
    expect(uniteCapabilities([{ n: { type: 'boolean' } }, one])).toEqual({ n: { type: 'boolean' } });
  });

  it('leaves the endpoints unchanged', () => {
    const endpoints: Capabilities[] = [
      { size: { type: 'enum', values: ['a'] }, n: { type: 'range', min: 1, max: 2 } },
      { size: { type: 'enum', values: ['b'] }, n: { type: 'range', min: 0, max: 3 } },
    ];
    const before = structuredClone(endpoints);

    uniteCapabilities(endpoints);

    expect(endpoints).toEqual(before);
  });

  it('treats a parameter named like a member of Object.prototype as a parameter', () => {
    const odd = JSON.parse('{"constructor":{"type":"boolean"},"__proto__":{"type":"boolean"}}') as Capabilities;

    const united = uniteCapabilities([odd, odd]);

    expect(Object.keys(united)).toEqual(['constructor', '__proto__']);
    expect(Object.getPrototypeOf(united)).toBe(Object.prototype);
  });
});

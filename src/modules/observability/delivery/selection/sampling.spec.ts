import { isSampled } from './sampling.js';

const DESTINATION = '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f67';

const generation = (generationId: string, sessionId: string | null = null, traceId: string | null = null) => ({
  generationId,
  sessionId,
  traceId,
});

describe('the sample of a destination', () => {
  const numbers = Array.from({ length: 2_000 }, (_, number) => number);

  it.each([0, 0.25, 1])('has about a share of %d of the generations', (rate) => {
    const sampled = numbers.filter((number) => isSampled(DESTINATION, rate, generation(`gen-${number}`)));
    expect(sampled.length / numbers.length).toBeGreaterThanOrEqual(rate === 1 ? 1 : rate - 0.05);
    expect(sampled.length / numbers.length).toBeLessThanOrEqual(rate === 0 ? 0 : rate + 0.05);
  });

  it('has all generations of a session, or else of a trace, or none', () => {
    for (const name of ['one', 'two', 'three', 'four']) {
      const ofSession = numbers
        .slice(0, 20)
        .map((number) => isSampled(DESTINATION, 0.5, generation(`gen-${number}`, name, `${number}`)));
      const ofTrace = numbers
        .slice(0, 20)
        .map((number) => isSampled(DESTINATION, 0.5, generation(`gen-${number}`, null, name)));
      expect([new Set(ofSession).size, new Set(ofTrace).size]).toEqual([1, 1]);
    }
  });

  it('is another one for another destination', () => {
    const other = DESTINATION.replace('5f67', '5f68');
    const differing = numbers.filter(
      (number) =>
        isSampled(DESTINATION, 0.5, generation(`gen-${number}`)) !== isSampled(other, 0.5, generation(`gen-${number}`)),
    );
    expect(differing.length).toBeGreaterThan(500);
  });
});

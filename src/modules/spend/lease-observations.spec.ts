import { LeaseObservations } from './lease-observations.js';

describe('the observed leases', () => {
  const observations = (): ((at: number, versions: Record<string, string | null>) => Record<string, number>) => {
    const observed = new LeaseObservations(10);
    return (at, versions) => {
      const leases = Object.entries(versions).map(([processId, version]) => ({ processId, version }));
      const seen = observed.add(leases, at, at + 1);
      return Object.fromEntries(seen.map(({ processId, unchangedMs }) => [processId, unchangedMs]));
    };
  };

  it('have not changed for the time since they were seen first, as far as it is certain, and each by itself', () => {
    const add = observations();
    expect(add(100, { one: 'a', other: 'b' })).toEqual({ one: 0, other: 0 });
    expect(add(106, { one: 'a', other: 'c' })).toEqual({ one: 5, other: 0 });
    expect(add(112, { one: 'a', other: 'c' })).toEqual({ one: 10, other: 5 });
  });

  it('begin anew with each change, also back to what they were, and when they were gone', () => {
    const add = observations();
    for (const [at, versions] of [
      [0, { one: 'a' }],
      [6, { one: 'b' }],
      [12, { one: 'a' }],
      [18, {}],
      [24, { one: 'a' }],
      [30, { one: null }],
    ] as const) {
      expect(Object.values(add(at, versions))).toEqual(Object.keys(versions).map(() => 0));
    }
    expect(add(36, { one: null })).toEqual({ one: 5 });
  });

  it('count no more of a long time between two reads than of a short one, and nothing of a clock that goes back', () => {
    const add = observations();
    add(0, { one: 'a' });
    expect(add(3_600_000, { one: 'a' })).toEqual({ one: 10 });
    expect(add(1_000, { one: 'a' })).toEqual({ one: 10 });
    expect(add(1_006, { one: 'a' })).toEqual({ one: 15 });
  });
});

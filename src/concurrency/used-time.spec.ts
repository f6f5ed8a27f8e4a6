import { UsedTime } from './used-time.js';

describe('UsedTime', () => {
  it('adds up what an organization has used, forgets it at a steady pace, and remembers no more than the most', () => {
    let now = 0;
    const used = new UsedTime({ forgottenShare: 0.1, mostMs: 1_000, now: () => now });
    used.add('a', 300);
    used.add('a', 200);
    expect([used.of('a'), used.of('b')]).toEqual([500, 0]);

    now = 4_000;
    expect(used.of('a')).toBe(100);
    now = 6_000;
    expect(used.of('a')).toBe(0);
    used.add('a', 5_000);
    expect(used.of('a')).toBe(1_000);
  });
});

import { waitingTime } from './waiting-time.js';

describe('the time to wait after failures', () => {
  it('is a random part of what doubles with each failure, from one second to five minutes', () => {
    expect([1, 2, 5, 8, 9, 50].map((failures) => waitingTime(failures, 0, 1))).toEqual([
      2_000, 4_000, 32_000, 256_000, 300_000, 300_000,
    ]);
    expect(waitingTime(5, 0, 0.25)).toBe(8_000);
    expect(waitingTime(50, 0, 0)).toBe(1_000);
  });

  it('is what the receiver asks for if that is longer, up to an hour', () => {
    expect(waitingTime(1, 60_000, 1)).toBe(60_000);
    expect(waitingTime(9, 60_000, 1)).toBe(300_000);
    expect(waitingTime(1, 86_400_000, 1)).toBe(3_600_000);
  });
});

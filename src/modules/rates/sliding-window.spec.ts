import { KEPT_SECONDS, SlidingWindow, WINDOW_SECONDS } from './sliding-window.js';

const START = 1_800_000_000;

function windowAt(second = START): SlidingWindow {
  const window = new SlidingWindow();
  window.advance(second);
  return window;
}

describe('SlidingWindow', () => {
  it('counts what was added within the last 60 seconds, and not what was added before', () => {
    const window = windowAt();
    window.add(3);
    window.advance(START + 30);
    window.add(4);
    window.advance(START + WINDOW_SECONDS);
    expect(window.used).toBe(7);
    window.advance(START + KEPT_SECONDS);
    expect(window.used).toBe(4);
    window.advance(START + 30 + KEPT_SECONDS);
    expect(window.used).toBe(0);
    expect(window.stored).toEqual([]);
  });

  it('admits at most a limit in any span of 60 seconds, however the requests come', () => {
    const limit = 10;
    let state = 1;
    const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const window = windowAt();
    const admitted: number[] = [];
    for (let second = START; second < START + 1_000; second += 1 + Math.floor(random() * 4)) {
      window.advance(second);
      for (let request = 0; request < random() * 8; request += 1) {
        if (window.used + 1 > limit) continue;
        window.add(1);
        admitted.push(second);
      }
    }
    const most = Math.max(
      ...admitted.map((from) => admitted.filter((second) => second >= from && second - from <= WINDOW_SECONDS).length),
    );
    expect(most).toBe(limit);
    // About as many as the limit allows: the second that is kept longer costs little.
    expect(admitted.length).toBeGreaterThan((limit * 1_000) / KEPT_SECONDS - limit);
  });

  it('forgets everything after a longer pause', () => {
    const window = windowAt();
    window.add(5);
    window.advance(START + 10_000);
    expect(window.used).toBe(0);
    window.add(1);
    expect([window.used, window.secondsUntilEmpty]).toEqual([1, KEPT_SECONDS]);
  });

  it('says when there is room, and when nothing is used any more', () => {
    const window = windowAt();
    window.add(2);
    window.advance(START + 20);
    window.add(3);
    expect(window.secondsUntilEmpty).toBe(KEPT_SECONDS);
    expect(window.secondsUntilUsedIs(4)).toBe(KEPT_SECONDS - 20);
    expect(window.secondsUntilUsedIs(3)).toBe(KEPT_SECONDS - 20);
    expect(window.secondsUntilUsedIs(2)).toBe(KEPT_SECONDS);
    expect(window.secondsUntilUsedIs(-1)).toBe(KEPT_SECONDS);
    expect(windowAt().secondsUntilEmpty).toBe(0);
  });

  it('takes back what was counted in a second, but no more than that, and nothing that does not count', () => {
    const window = windowAt();
    window.add(5);
    window.advance(START + 10);
    window.add(2);
    window.takeBack(START, 4);
    expect(window.used).toBe(3);
    window.takeBack(START, 4);
    expect(window.used).toBe(2);
    window.takeBack(START + 11, 1);
    window.takeBack(START + 10 - KEPT_SECONDS, 1);
    expect(window.used).toBe(2);
  });

  it('goes on where the stored one was', () => {
    const window = windowAt();
    window.add(5);
    window.advance(START + 7);
    window.add(1);
    const stored = new SlidingWindow(window.latestSecond, window.stored);
    stored.advance(START + WINDOW_SECONDS);
    expect(stored.used).toBe(6);
    stored.advance(START + KEPT_SECONDS);
    expect(stored.used).toBe(1);
  });

  it('stands still while the clock is behind, and begins anew when it was set back by more than a window', () => {
    const window = windowAt();
    window.add(5);
    window.advance(START - 30);
    expect([window.used, window.latestSecond]).toEqual([5, START]);
    window.advance(START - WINDOW_SECONDS - 1);
    expect([window.used, window.latestSecond]).toEqual([0, START - WINDOW_SECONDS - 1]);
  });
});
